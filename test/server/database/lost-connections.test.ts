import { describe, expect, inject, test, vi } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { patience } from '../../patience.ts';
import { serve } from '../gatehouse.ts';
import { type Data, makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';
import { startNetwork } from './network.ts';
import { startOwnPostgres } from './own-postgres.ts';

/** In milliseconds: a network that stalls would keep requests waiting for minutes. */
const seconds = 30_000;

/** Starts a server on this data and signs in a user. */
async function setUp(data: Data) {
  const served = await serve(...data.source);
  const person = await signIn(served.url);
  const whoAmI = () => person.get('/account/whoami');
  return {
    data,
    served,
    person,
    whoAmI,
    works: () =>
      vi.waitFor(async () => expect((await whoAmI()).status).toBe(200), { timeout: patience, interval: 100 }),
    async [Symbol.asyncDispose]() {
      await served.end('SIGKILL');
      await data.remove();
    },
  };
}

// Each test waits for seconds.
describe.runIf(inject('postgres')).concurrent('a PostgreSQL that goes away', () => {
  test('with every connection ended under load: waiting requests get 503 or an answer', {
    timeout: 120_000,
  }, async () => {
    await using server = await setUp(await makeData());
    const { data, person } = server;
    const { body: room } = await person.post('/createRoom', {});
    const path = `/rooms/${encodeURIComponent(room.room_id)}/send/m.room.message`;
    const administrator = await data.connect();
    for (let round = 0; round < (isMatrix ? 3 : 1); round++) {
      const sending = Array.from({ length: 20 }, (_, index) =>
        person.put(`${path}/${round}-${index}`, { msgtype: 'm.text', body: 'x' }),
      );
      await administrator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [data.database],
      );
      for (const { status, body, headers } of await Promise.all(sending)) {
        if (status === 200) continue;
        expect({ status, body }).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(server.served.process.exitCode).toBeNull();
      await server.works();
    }
    // Each message has its own transaction ID, so a repeated request sends nothing new.
    const again = await person.put(`${path}/0-0`, { msgtype: 'm.text', body: 'x' });
    expect(again.status).toBe(200);
    await administrator.end();
  });

  test('with fewer connections than configured: requests take turns', async () => {
    const role = `few_${process.pid}`;
    const data = await makeData();
    const administrator = await data.connect();
    await administrator.query(
      `create role ${role} login password 'few' connection limit 4 in role current_user`,
    );
    await administrator.query(`alter database ${data.database} owner to ${role}`);
    await data.configure({ user: role, password: 'few', cp_max: 10 });
    await using server = await setUp(data);
    const { person } = server;
    const { body: room } = await person.post('/createRoom', {});
    const path = `/rooms/${encodeURIComponent(room.room_id)}`;
    const replies = Array.from({ length: 30 }, () => person.get(`${path}/state`));
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(replies.map(() => 200));
    await server.served.end('SIGTERM');
    await administrator.query(`reassign owned by ${role} to current_user`);
    await administrator.query(`drop role ${role}`);
    await administrator.end();
  });

  describe('behind a network that stalls', () => {
    async function setUpBehind() {
      const postgres = inject('postgres');
      if (!postgres) throw new Error('this is no PostgreSQL');
      const network = await startNetwork(postgres);
      const data = await makeData();
      await data.configure({ host: '127.0.0.1', port: network.port });
      const server = await setUp(data);
      return {
        ...server,
        network,
        async [Symbol.asyncDispose]() {
          await server[Symbol.asyncDispose]();
          await network.close();
        },
      };
    }
    type Server = Awaited<ReturnType<typeof setUpBehind>>;

    /** Creates rooms that wait for another connection's lock. Returns them and that connection. */
    async function waitingRooms({ data, person }: Server) {
      const administrator = await data.connect();
      await administrator.query('begin; select * from users for update');
      const replies = Array.from({ length: 20 }, () => person.post('/createRoom', {}));
      // Two rooms are created at a time, and also wait for each other.
      const waiting = async () => {
        // A transaction keeps seeing the connections from its first look.
        await administrator.query('select pg_stat_clear_snapshot()');
        const { rows } = await administrator.query(
          "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
          [data.database],
        );
        return rows.length;
      };
      await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), patience);
      return { administrator, replies };
    }

    test.runIf(isMatrix)('queued room creations are refused along with the running ones', async () => {
      await using server = await setUpBehind();
      const { network, person, works } = server;
      const { administrator, replies } = await waitingRooms(server);
      network.stall();
      const begin = performance.now();
      for (const { status } of await Promise.all(replies)) expect(status).toBe(503);
      expect(performance.now() - begin).toBeLessThan(seconds);
      await administrator.query('rollback');
      await administrator.end();
      network.resume();
      await works();
      expect((await person.post('/createRoom', {})).status).toBe(200);
    });

    test('requests get 503 within seconds, and succeed once it is back', async () => {
      await using server = await setUpBehind();
      const { network, whoAmI, works } = server;
      const began = performance.now();
      network.stall();
      const replies = await Promise.all(Array.from({ length: 30 }, whoAmI));
      expect(performance.now() - began).toBeLessThan(seconds);
      for (const { status, body, headers } of replies) {
        expect({ status, body }).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(server.served.process.exitCode).toBeNull();
      network.resume();
      await works();
    });

    test.runIf(isMatrix)('SIGTERM stops an idle server', async () => {
      await using server = await setUpBehind();
      server.network.stall();
      const began = performance.now();
      expect(await server.served.end('SIGTERM')).toBe(0);
      expect(performance.now() - began).toBeLessThan(seconds);
    });

    test('SIGTERM answers waiting requests with 503 and logs no stack traces', async () => {
      await using server = await setUpBehind();
      const { network, served, whoAmI } = server;
      const { administrator, replies } = await waitingRooms(server);
      network.stall();
      const asked = Array.from({ length: 30 }, whoAmI);
      const ended = served.end('SIGTERM');
      for (const { status } of await Promise.all([...replies, ...asked])) expect(status).toBe(503);
      expect(await ended).toBe(0);
      expect(await served.errors).not.toMatch(/^ +at /m);
      await administrator.end();
    });

    test.runIf(isMatrix)('SIGTERM stops a server that is connecting', async () => {
      await using server = await setUpBehind();
      const { network, served, whoAmI } = server;
      network.stall();
      const opened = network.nextConnection();
      const asked = Array.from({ length: 30 }, () => whoAmI().catch(() => undefined));
      await opened;
      const began = performance.now();
      expect(await served.end('SIGTERM')).toBe(0);
      expect(performance.now() - began).toBeLessThan(9_000);
      await Promise.all(asked);
    });
  });

  test('with an idle session timeout: the coordination connection stays open', async () => {
    const data = await makeData();
    const administrator = await data.connect();
    await administrator.query(`alter database ${data.database} set idle_session_timeout = '500ms'`);
    await using server = await setUp(data);
    const { served } = server;
    const asked = async () => {
      const { rows } = await administrator.query(
        `select pid, query_start as at from pg_stat_activity where datname = $1 and pid <> pg_backend_pid() and query like '%reads_only%'
         order by query_start desc limit 1`,
        [data.database],
      );
      return { pid: rows[0]?.pid, at: Number(rows[0]?.at ?? 0) };
    };
    // Runs every two seconds over the coordination connection.
    await vi.waitFor(async () => expect((await asked()).at).toBeGreaterThan(0), patience);
    const first = await asked();
    await vi.waitFor(async () => expect((await asked()).at).toBeGreaterThan(first.at), patience);
    const second = await asked();
    expect(second.pid).toBe(first.pid);
    await administrator.end();
    await served.end('SIGTERM');
    expect(await served.errors).not.toMatch(/idle-session/);
  });

  /** Sets up a server on its own PostgreSQL, which the test may stop. */
  async function setUpWithOwnPostgres() {
    const postgres = await startOwnPostgres();
    const { host, port, user, password } = postgres;
    const data = await makeData();
    await data.configure({ host, port, user, password, dbname: 'postgres' });
    const server = await setUp(data);
    return {
      ...server,
      postgres,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await postgres.remove();
      },
    };
  }

  test('during a restart: 503, then everything works again, and the log says each once', {
    timeout: 120_000,
  }, async () => {
    await using server = await setUpWithOwnPostgres();
    const { postgres, served, whoAmI, works } = server;
    await postgres.stop();
    for (let turn = 0; turn < 2; turn++) {
      for (const reply of await Promise.all(Array.from({ length: 10 }, whoAmI))) {
        expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
      }
    }
    expect(served.process.exitCode).toBeNull();
    await postgres.start();
    await works();
    await served.end('SIGTERM');
    const lines = (await served.errors).split('\n').filter((line) => / (WARN|ERROR) /.test(line));
    const ofConnections = lines.filter((line) => line.includes(' database: '));
    expect(ofConnections.filter((line) => line.includes('lost the coordination connection'))).toHaveLength(1);
    expect(ofConnections.filter((line) => line.includes('database: reconnected'))).toHaveLength(1);
    // Work in progress fails with its connection.
    expect(lines.length - ofConnections.length).toBeLessThanOrEqual(2);
  });
});
