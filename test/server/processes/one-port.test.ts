/** `serve --processes N`: several processes that act as one server. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { Server } from 'node:net';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { freePort, occupy } from '../../free-port.ts';
import { isMatrix } from '../../matrix.ts';
import { type Data, makeData } from '../database/data.ts';
import { signIn } from '../database/logged-in-user.ts';
import { ending, type Served, serve, start } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let data: Data;
let served: Served | undefined;
let started: ChildProcess | undefined;
afterEach(async () => {
  started?.kill('SIGKILL');
  started = undefined;
  await served?.end('SIGKILL');
  served = undefined;
  await data.remove();
});

/** Finds a free port followed by one in use. Returns it and the server on the second port. */
async function portBeforeTaken(): Promise<{ port: number; taken: Server }> {
  for (;;) {
    const port = await freePort();
    const taken = await occupy(port + 1);
    if (taken) return { port, taken };
  }
}

test.runIf(!inject('postgres'))('is refused on SQLite in one line', async () => {
  data = await makeData();
  const { code, output, errors } = await ending(start(['serve', '--processes', '2', ...data.source]));
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^gatehouse: --processes: SQLite supports a single server process; .*\n$/);
});

describe.runIf(inject('postgres'))('on PostgreSQL', () => {
  const childrenOf = async (parent: ChildProcess | undefined) => {
    const text = await readFile(`/proc/${parent?.pid}/task/${parent?.pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  };
  const children = () => childrenOf(served?.process);
  /** Starts a number of processes and collects their output. */
  function startProcesses(count: number) {
    const child = start(['serve', '--port', '0', '--processes', `${count}`, ...data.source]);
    started = child;
    const said = { output: '', errors: '' };
    child.stdout?.on('data', (chunk) => {
      said.output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      said.errors += chunk;
    });
    return { child, said };
  }
  const versions = () => call(served?.url ?? '', 'GET', '/_chat/client/versions');

  test('a killed process restarts while the others answer, and running requests finish after SIGTERM', async () => {
    data = await makeData();
    served = await serve('--processes', '2', ...data.source);
    const before = await children();
    expect(before).toHaveLength(2);
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    // Only the killed process's connections break, at once.
    await expect.poll(async () => (await versions()).status).toBe(200);
    // The killed process may still receive connections until its exit is noticed.
    await expect.poll(children).not.toContain(killed);
    for (let count = 0; count < 10; count++) expect((await versions()).status).toBe(200);
    await expect.poll(async () => (await children()).filter((pid) => pid !== killed).length).toBe(2);
    // The new process serves too, without the last old one.
    const database = await data.connect();
    await expect
      .poll(async () => {
        const { rows } = await database.query(
          `select count(*)::int as count from pg_locks where locktype = 'advisory' and objsubid = 2
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].count;
      })
      .toBe(2);
    await database.end();
    expect((await signIn(served.url)).get).toBeDefined();
    expect((await versions()).status).toBe(200);

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
      // The server has received the request and waits for the body.
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
    expect(await served.errors).toMatch(
      new RegExp(`^gatehouse: process ${killed} exited \\(SIGKILL\\); restarting$`, 'm'),
    );
  });

  test.runIf(isMatrix)(
    'a process killed during the first start restarts before the URL is printed',
    async () => {
      data = await makeData();
      const { child, said } = startProcesses(2);
      await expect.poll(async () => (await childrenOf(child)).length).toBe(2);
      process.kill((await childrenOf(child))[1] ?? 0, 'SIGKILL');
      await expect.poll(() => said.output).toMatch(/^listening on /);
      child.kill('SIGTERM');
      expect((await once(child, 'exit'))[0]).toBe(0);
      expect(said.output.match(/listening/g)).toHaveLength(1);
    },
  );

  test.runIf(isMatrix)('the reason why restarts are refused is logged once', async () => {
    data = await makeData();
    const { child, said } = startProcesses(3);
    await expect.poll(() => said.output).toMatch(/^listening on /);
    const database = await data.connect();
    await database.query("insert into kysely_migration values ('9999-newer', '2026-01-01T00:00:00.000Z')");
    await database.end();
    const before = await childrenOf(child);
    for (const pid of before.slice(0, 2)) process.kill(pid, 'SIGKILL');
    const refused = new Set<number>();
    await expect
      .poll(async () => {
        for (const pid of await childrenOf(child)) if (!before.includes(pid)) refused.add(pid);
        return refused.size;
      })
      .toBeGreaterThan(4);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(said.errors.match(/a newer version has migrated it/g)).toHaveLength(1);
    expect(said.errors.match(/exited \(code 1\)/g)).toHaveLength(1);
  });

  test('all end when their supervisor is killed, after answering long polls', async () => {
    data = await makeData();
    served = await serve('--processes', '3', ...data.source);
    const person = await signIn(served.url);
    const { next_batch: since } = (await person.get('/sync?set_presence=offline')).body;
    const waiting = person.get(`/sync?set_presence=offline&since=${since}&timeout=600000`);
    // After these replies, the sync is waiting.
    for (let count = 0; count < 5; count++) await versions();
    const those = await children();
    expect(those).toHaveLength(3);
    await served.end('SIGKILL');
    const isThere = (pid: number) =>
      access(`/proc/${pid}`).then(
        () => true,
        () => false,
      );
    await expect.poll(async () => (await Promise.all(those.map(isThere))).includes(true)).toBe(false);
    expect((await waiting).status).toBe(200);
  });

  test.runIf(isMatrix)('a stopped process delays the shutdown only for a while', async () => {
    data = await makeData();
    served = await serve('--processes', '2', ...data.source);
    const [still = 0] = await children();
    process.kill(still, 'SIGSTOP');
    expect(await served.end('SIGTERM')).toBe(0);
  });

  test('a refusal of one process ends all, and is printed once', async () => {
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

  test('a missing database is reported once', async () => {
    data = await makeData();
    await data.configure({ dbname: 'missing' });
    const { code, output, errors } = await ending(
      start(['serve', '--port', '0', '--processes', '3', ...data.source]),
    );
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^gatehouse: database\.args: .*\n$/);
  });
});
