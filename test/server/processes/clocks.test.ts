/** Two processes with very different clocks. */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { roomDeletionTask } from '../../../server/administration/room-administration/room-deletion-task.ts';
import { createHomeserver, type Homeserver } from '../../../server/app/homeserver.ts';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { tokenHash } from '../../../server/platform/core/secrets.ts';
import { createScheduler } from '../../../server/platform/tasks/scheduler.ts';
import { call, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const sessions = {
  lifetimeMs: undefined,
  plainTokenMs: undefined,
  refreshableTokenMs: 60_000,
  refreshTokenMs: undefined,
};
const registration = { enabled: false, requiresToken: false, sharedSecret: 'shared' };
const differences = [
  { side: 'ahead of', apart: 300_000 },
  { side: 'behind', apart: -3_600_000 },
];

describe.runIf(inject('postgres')).each(differences)('a process that is $side another', ({ side, apart }) => {
  let one: TestHomeserver;
  let other: Homeserver;
  let dataDir: string;
  const said: string[] = [];
  let saidAtStart: string[];
  let machine = apart;
  beforeAll(async () => {
    const failures = { perSecond: 0.001, burstCount: 4 };
    one = await startHomeserver({
      config: {
        rateLimits: { ...unlimited, loginFailures: failures },
        ...{ sessions, registration },
        loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 120_000 },
      },
    });
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-other-clock-'));
    other = await createHomeserver(
      { ...one.config, dataDir },
      {
        clock: { ...systemClock, now: () => Date.now() + machine },
        log: (line) => said.push(line),
      },
    );
    await other.start();
    saidAtStart = [...said];
  });
  afterAll(async () => {
    await other.stop();
    await one.remove();
    await rm(dataDir, { recursive: true });
  });

  const both = () => [one, other];
  const token = () => one.as('admin').accessToken;

  test('logs the difference when it starts', () => {
    const sentence = `clock: this computer is ${Math.abs(apart) / 1000} s ${side}`;
    expect(saidAtStart.filter((line) => line.includes(sentence))).toHaveLength(1);
  });

  test('runs tasks with the other and leaves none', async () => {
    const rooms = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { body } = await one.as('admin').post('/_chat/client/v3/createRoom', {});
        return encodeURIComponent(body.room_id);
      }),
    );
    const purge = { purge_up_to_ts: Date.now() + Math.abs(apart) };
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
    await expect.poll(statuses).toEqual(ids.map(() => 'complete'));
  });

  test('and a third, twice as far off, that dies leaves no task behind: another starts it at once', async () => {
    const { db, log, notifier } = one.services;
    const clock = { ...systemClock, now: () => Date.now() + Math.abs(apart) };
    const { body } = await one.as('admin').post('/_chat/client/v3/createRoom', {});
    const id = await createScheduler({ db, clock, log, notifier }, []).schedule(roomDeletionTask, {
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
    await expect.poll(status).toBe('complete');
  });

  test("continues by the common time while its computer's clock is set", async () => {
    machine = apart + 7_200_000;
    const { body } = await call(other.url, 'POST', '/_chat/media/v1/create', token(), {});
    machine = apart;
    const day = 24 * 60 * 60 * 1000;
    expect(Math.abs(body.unused_expires_at - Date.now() - day)).toBeLessThan(100_000);
  });

  test('issues login tokens beside the other, and each logs in at either', async () => {
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
    const [third, fourth] = [await make(other), await make(other)];
    expect([
      await login(one, first),
      await login(other, second),
      await login(one, third),
      await login(other, fourth),
    ]).toEqual([200, 200, 200, 200]);
    expect(await login(one, second)).toBe(403);
  });

  test('counts wrong passwords together with the other, and forgets none earlier', async () => {
    const login = (server: Homeserver) =>
      call(server.url, 'POST', '/_chat/client/v3/login', undefined, {
        ...{ type: 'm.login.password', identifier: { type: 'm.id.user', user: 'bob' }, password: 'wrong' },
      });
    const replies: number[] = [];
    for (const server of [one, other, one, other, one, other]) replies.push((await login(server)).status);
    expect(replies).toEqual([403, 403, 403, 403, 429, 429]);
  });

  test("knows the other's sessions and refuses those ended there", async () => {
    const carol = one.as('carol').accessToken;
    const asked = () =>
      Promise.all(
        both().map(
          async ({ url }) => (await call(url, 'GET', '/_chat/client/v3/account/whoami', carol)).status,
        ),
      );
    expect(await asked()).toEqual([200, 200]);
    expect((await call(other.url, 'POST', '/_chat/client/v3/logout', carol)).status).toBe(200);
    expect(await asked()).toEqual([401, 401]);
  });

  test("accepts the other's one-minute access tokens and nonces as its own", async () => {
    const login = async (server: Homeserver) => {
      const { body } = await call(server.url, 'POST', '/_chat/client/v3/login', undefined, {
        ...{
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: 'newcomer1' },
          password: 'secret',
        },
        refresh_token: true,
      });
      return body.access_token;
    };
    const register = async (giver: Homeserver, taker: Homeserver, username: string) => {
      const path = '/_service/admin/v1/register';
      const { nonce } = (await call(giver.url, 'GET', path)).body;
      const mac = createHmac('sha1', 'shared')
        .update([nonce, username, 'secret', 'notadmin'].join('\0'))
        .digest('hex');
      return call(taker.url, 'POST', path, undefined, { nonce, username, password: 'secret', mac });
    };
    const whoami = async (server: Homeserver, given: string) =>
      (await call(server.url, 'GET', '/_chat/client/v3/account/whoami', given)).status;
    const registered = [await register(one, other, 'newcomer1'), await register(other, one, 'newcomer2')];
    expect(registered.map(({ status }) => status)).toEqual([200, 200]);
    const [given, givenThere] = [await login(one), await login(other)];
    expect([await whoami(other, given), await whoami(one, givenThere)]).toEqual([200, 200]);
    const [session] = await one.services.db
      .selectFrom('access_tokens')
      .select('expires_ts')
      .where('token_hash', '=', tokenHash(givenThere))
      .execute();
    expect(Math.abs(Number(session?.expires_ts) - Date.now() - 60_000)).toBeLessThan(100_000);
  });

  test('shows typing users of the other', async () => {
    const alice = one.as('alice');
    const { body } = await alice.post('/_chat/client/v3/createRoom', {});
    for (const [said, shown] of [
      [one, other],
      [other, one],
    ] as const) {
      const path = `/_chat/client/v3/rooms/${encodeURIComponent(body.room_id)}/typing/${alice.userId}`;
      const writes = { typing: true, timeout: 30_000 };
      expect(await call(said.url, 'PUT', path, alice.accessToken, writes)).toMatchObject({ status: 200 });
      const sync = async () => {
        const reply = await call(shown.url, 'GET', '/_chat/client/v3/sync', alice.accessToken);
        return reply.body.rooms.join[body.room_id].ephemeral.events;
      };
      await expect.poll(sync).toMatchObject([{ type: 'm.typing', content: { user_ids: [alice.userId] } }]);
      await call(said.url, 'PUT', path, alice.accessToken, { typing: false });
      await expect.poll(sync).toEqual([]);
    }
  });
});
