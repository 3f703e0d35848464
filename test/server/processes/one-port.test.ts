/** `serve --processes N`: several processes that are one server to whoever calls. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { type Data, makeData } from '../database/data.ts';
import { signIn } from '../database/person.ts';
import { ending, type Served, serve, start } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let data: Data;
let served: Served | undefined;
afterEach(async () => {
  await served?.end('SIGKILL');
  served = undefined;
  await data.remove();
});

/** A port that is free, and what listens at the one after it. */
async function portBeforeTaken(): Promise<{ port: number; taken: Server }> {
  for (;;) {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = (taken.address() as AddressInfo).port - 1;
    const before = createServer().listen(port, '127.0.0.1');
    const isFree = await once(before, 'listening').then(
      () => true,
      () => false,
    );
    before.close();
    if (isFree) return { port, taken };
    taken.close();
  }
}

test.runIf(!inject('postgres'))('is refused on SQLite in one line', async () => {
  data = await makeData();
  const { code, output, errors } = await ending(start(['serve', '--processes', '2', ...data.source]));
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^gatehouse: --processes: a SQLite database has one serving process; .*\n$/);
});

describe.runIf(inject('postgres'))('on PostgreSQL', () => {
  const children = async () => {
    const { pid } = served?.process ?? {};
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  };
  const versions = () => call(served?.url ?? '', 'GET', '/_chat/client/versions');

  test('one that is killed is started again, and the others answer meanwhile', {
    timeout: 60_000,
  }, async () => {
    data = await makeData();
    served = await serve('--processes', '2', ...data.source);
    const before = await children();
    expect(before).toHaveLength(2);
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    // What had been handed to it is broken off at once, and nothing else is.
    await expect.poll(async () => (await versions()).status).toBe(200);
    // Until it is known to have gone it may be handed another.
    await expect.poll(children).not.toContain(killed);
    for (let count = 0; count < 10; count++) expect((await versions()).status).toBe(200);
    await expect
      .poll(async () => (await children()).filter((pid) => pid !== killed).length, { timeout: 20_000 })
      .toBe(2);
    // The new one serves, too: the last of the old ones is not needed.
    const database = await data.connect();
    await expect
      .poll(
        async () => {
          const { rows } = await database.query(
            `select count(*)::int as count from pg_locks where locktype = 'advisory' and objsubid = 2
             and database = (select oid from pg_database where datname = current_database())`,
          );
          return rows[0].count;
        },
        { timeout: 20_000 },
      )
      .toBe(2);
    await database.end();
    expect((await signIn(served.url)).get).toBeDefined();
    expect((await versions()).status).toBe(200);
    expect(await served.end('SIGTERM')).toBe(0);
    expect(await served.errors).toMatch(
      new RegExp(`^gatehouse: process ${killed} has ended \\(SIGKILL\\): starting another$`, 'm'),
    );
  });

  test('where one of them is refused at the start, all are, with its line', async () => {
    const { port, taken } = await portBeforeTaken();
    const listeners = [
      { type: 'http', port: 0 },
      { type: 'metrics', port },
    ];
    data = await makeData({ listeners });
    const { code, output, errors } = await ending(start(['serve', '--processes', '2', ...data.source]));
    taken.close();
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(new RegExp(`^gatehouse: [^\n]*${port + 1}[^\n]*\n$`));
  });

  test('what runs ends well when it is told to stop', async () => {
    data = await makeData();
    served = await serve('--processes', '2', ...data.source);
    const { url } = served;
    const body = JSON.stringify({ type: 'm.login.password', user: 'nobody', password: 'x' });
    const reply = new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${url}/_chat/client/v3/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          expect: '100-continue',
        },
      });
      sending.on('error', reject);
      sending.on('response', (response) => resolve(response.resume().statusCode));
      // It has the request by now, and waits for the body.
      sending.on('continue', async () => {
        served?.process.kill('SIGTERM');
        await expect
          .poll(() =>
            versions()
              .then(() => 'answers')
              .catch(() => 'refuses'),
          )
          .toBe('refuses');
        sending.end(body);
      });
      sending.flushHeaders();
    });
    expect(await reply).toBe(403);
    expect(await served.exited).toBe(0);
  });

  test('what has to be refused is refused once', async () => {
    data = await makeData();
    await data.configure({ dbname: 'missing' });
    const { code, output, errors } = await ending(
      start(['serve', '--port', '0', '--processes', '3', ...data.source]),
    );
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^gatehouse: database\.args: .*\n$/);
  });
});
