/** Two processes whose clocks are five minutes apart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../../../server/core/clock.ts';
import { createHomeserver, type Homeserver } from '../../../server/homeserver.ts';
import { shutdownTask } from '../../../server/room-administration/shutdown-and-purge-room-task.ts';
import { createScheduler } from '../../../server/tasks/scheduler.ts';
import { call, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const apart = 300_000;

describe.runIf(inject('postgres'))('a process that is five minutes ahead of another', () => {
  let one: TestHomeserver;
  let ahead: Homeserver;
  let dataDir: string;
  const said: string[] = [];
  beforeAll(async () => {
    const failures = { perSecond: 0.001, burstCount: 4 };
    one = await startHomeserver({
      config: {
        rateLimits: { ...unlimited, loginFailures: failures },
        loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 120_000 },
      },
    });
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-ahead-'));
    ahead = await createHomeserver(
      { ...one.config, dataDir },
      {
        clock: { ...systemClock, now: () => Date.now() + apart },
        log: (line) => said.push(line),
      },
    );
    await ahead.start();
  });
  afterAll(async () => {
    await ahead.stop();
    await one.remove();
    await rm(dataDir, { recursive: true });
  });

  const both = () => [one, ahead];
  const token = () => one.as('admin').accessToken;

  test('says so when it starts', () => {
    expect(said.filter((line) => line.includes('The clock of this machine is 300 s ahead'))).toHaveLength(1);
  });

  test('does with the other each task once, and leaves none', async () => {
    const rooms = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { body } = await one.as('admin').post('/_chat/client/v3/createRoom', {});
        return encodeURIComponent(body.room_id);
      }),
    );
    const purge = { purge_up_to_ts: Date.now() + 2 * apart };
    const ids = await Promise.all(
      rooms.map(async (room, index) => {
        const path = `/_service/admin/v1/purge_history/${room}`;
        return (await call(both()[index % 2]?.url ?? '', 'POST', path, token(), purge)).body.purge_id;
      }),
    );
    const statuses = async () =>
      Promise.all(
        ids.map(async (id, index) => {
          const path = `/_service/admin/v1/purge_history_status/${id}`;
          return (await call(both()[index % 2]?.url ?? '', 'GET', path, token())).body.status;
        }),
      );
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(ids.map(() => 'complete'));
    const tasks = await one.services.db
      .selectFrom('scheduled_tasks')
      .select('lease_number')
      .where('id', 'in', ids)
      .execute();
    expect(tasks.map(({ lease_number }) => Number(lease_number))).toEqual(ids.map(() => 1));
  });

  test('and a third, that is ten ahead and dies, leaves no task behind: another begins it at once', async () => {
    const { db, log, notifier } = one.services;
    const clock = { ...systemClock, now: () => Date.now() + 2 * apart };
    const { body } = await one.as('admin').post('/_chat/client/v3/createRoom', {});
    const id = await createScheduler({ db, clock, log, notifier }, []).schedule(shutdownTask, {
      params: {
        room_id: body.room_id,
        requester_user_id: '@admin:localhost',
        new_room_user_id: null,
        block: false,
        purge: true,
        force_purge: false,
      },
      requestedBy: '@admin:localhost',
    });
    const status = async () => (await one.services.tasks.get(id))?.status;
    await expect.poll(status, { timeout: 10_000 }).toBe('complete');
  });

  test('gives tokens to log in with beside the other, and each logs in at either', async () => {
    const make = async (server: Homeserver) => {
      const path = '/_chat/client/v1/login/get_token';
      const { body } = await call(server.url, 'POST', path, token(), {});
      return body.login_token;
    };
    const login = async (server: Homeserver, given: string) => {
      const body = { type: 'm.login.token', token: given };
      return (await call(server.url, 'POST', '/_chat/client/v3/login', undefined, body)).status;
    };
    const [first, second] = [await make(one), await make(one)];
    const [third, fourth] = [await make(ahead), await make(ahead)];
    expect([
      await login(one, first),
      await login(ahead, second),
      await login(one, third),
      await login(ahead, fourth),
    ]).toEqual([200, 200, 200, 200]);
    expect(await login(one, second)).toBe(403);
  });

  test('counts wrong passwords together with the other, and forgives none of them earlier', async () => {
    const login = (server: Homeserver) =>
      call(server.url, 'POST', '/_chat/client/v3/login', undefined, {
        ...{ type: 'm.login.password', identifier: { type: 'm.id.user', user: 'bob' }, password: 'wrong' },
      });
    const replies: number[] = [];
    for (const server of [one, ahead, one, ahead, one, ahead]) replies.push((await login(server)).status);
    expect(replies).toEqual([403, 403, 403, 403, 429, 429]);
  });

  test('knows the sessions of the other, and refuses what was ended there', async () => {
    const carol = one.as('carol').accessToken;
    const asked = () =>
      Promise.all(
        both().map(
          async ({ url }) => (await call(url, 'GET', '/_chat/client/v3/account/whoami', carol)).status,
        ),
      );
    expect(await asked()).toEqual([200, 200]);
    expect((await call(ahead.url, 'POST', '/_chat/client/v3/logout', carol)).status).toBe(200);
    expect(await asked()).toEqual([401, 401]);
  });
});
