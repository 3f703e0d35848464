/** A session that is kept in memory is as good as one that is looked up: what was changed counts at once. */
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../../server/accounts/create-user.ts';
import { openSession } from '../../../server/accounts/sessions.ts';
import { queryDatabase } from '../database.ts';
import { type Caller, call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const client = '/_chat/client/v3';
const users = '/_service/admin/v2/users';
const statusOf = async (caller: Caller, path = `${client}/account/whoami`) => (await caller.get(path)).status;

/** Somebody new with a session, who has called already. */
async function newcomer(name: string): Promise<Caller> {
  const userId = await createUser(homeserver.services, { localpart: name });
  const { accessToken } = await openSession(homeserver.services, userId);
  const send = (method: string) => (path: string, content?: unknown) =>
    call(homeserver.url, method, path, accessToken, content);
  const caller: Caller = {
    userId,
    accessToken,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
  };
  expect(await statusOf(caller)).toBe(200);
  expect(await statusOf(caller)).toBe(200);
  return caller;
}

test('whoever has logged out is refused from the reply on, while others go on calling', async () => {
  for (let round = 0; round < 5; round++) {
    const caller = await newcomer(`leaver${round}`);
    let isOut = false;
    const late: number[] = [];
    const calling = async () => {
      for (let count = 0; count < 5; count++) {
        const wasOut = isOut;
        const status = await statusOf(caller);
        if (wasOut) late.push(status);
      }
    };
    const others = [calling(), calling(), calling()];
    expect((await caller.post(`${client}/logout`)).status).toBe(200);
    isOut = true;
    expect(await statusOf(caller)).toBe(401);
    await Promise.all(others);
    expect(late.filter((status) => status !== 401)).toEqual([]);
  }
});

test('what an administrator changes about an account counts with its next request', async () => {
  const caller = await newcomer('changed');
  const change = (what: object) => homeserver.as('admin').put(`${users}/${caller.userId}`, what);
  const list = '/_service/admin/v1/event_reports';
  expect(await statusOf(caller, list)).toBe(403);
  await change({ admin: true });
  expect(await statusOf(caller, list)).toBe(200);
  await change({ admin: false });
  expect(await statusOf(caller, list)).toBe(403);
  await change({ locked: true });
  expect(await statusOf(caller)).toBe(401);
  await change({ locked: false });
  expect(await statusOf(caller)).toBe(200);
  await homeserver.as('admin').post(`/_service/admin/v1/deactivate/${caller.userId}`, {});
  expect(await statusOf(caller)).toBe(401);
});

test('what another process changes counts with the next request', async () => {
  const caller = await newcomer('elsewhere');
  const other = await newcomer('other');
  const statement = `delete from access_tokens where user_id = '${caller.userId}'`;
  const { database } = homeserver.config;
  if (database.name === 'sqlite3') {
    const connection = new SqliteDatabase(database.file, { timeout: 10_000 });
    connection.exec(statement);
    connection.close();
  } else {
    await queryDatabase(database, statement);
  }
  expect(await statusOf(caller)).toBe(401);
  expect(await statusOf(other)).toBe(200);
});
