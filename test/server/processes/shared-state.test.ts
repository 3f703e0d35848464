/** Each server knows everything that the other acknowledged. Each test starts on one and continues on the other. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Homeserver } from '../../../server/app/homeserver.ts';
import { sharedSecret } from '../database/data.ts';
import type { Reply } from '../homeserver.ts';
import { type Pair, startPair } from './pair.ts';

const often = { per_second: 1e6, burst_count: 1e6 };
/** Number of consecutive wrong passwords. */
const guesses = 3;
const admin = '/_service/admin/v1';
const client = '/_chat/client/v3';
const password = 'correct horse';

describe.runIf(inject('postgres'))('two servers of one homeserver', () => {
  let pair: Pair<Homeserver>;
  beforeAll(async () => {
    pair = await startPair({
      enable_registration: true,
      registration_requires_token: true,
      login_via_existing_session: { enabled: true, require_ui_auth: false },
      rc_registration: often,
      rc_login: {
        address: often,
        account: often,
        failed_attempts: { per_second: 0.0001, burst_count: guesses },
      },
    });
  });
  afterAll(() => pair.end());

  const both = () => [pair.one, pair.other];
  const asGuest = (member: Homeserver, path: string, body: unknown) =>
    pair.at(member, 'POST', path, body, '');
  /** Runs calls concurrently, alternating between the servers. */
  const race = (times: number, act: (member: Homeserver, number: number) => Promise<Reply>) =>
    Promise.all(
      Array.from({ length: times }, (_, number) => act(number % 2 ? pair.one : pair.other, number)),
    );
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();
  const makeUser = async (name: string) => {
    await pair.at(pair.one, 'PUT', `/_service/admin/v2/users/@${name}:localhost`, { password });
    return logIn(pair.one, name);
  };
  const logIn = async (member: Homeserver, user: string, given = password) =>
    (await asGuest(member, `${client}/login`, { type: 'm.login.password', user, password: given })).body
      .access_token as string;
  const register = (member: Homeserver, username: string, auth?: object) =>
    asGuest(member, `${client}/register`, { username, password, auth, inhibit_login: true });
  const newToken = (token: string, uses_allowed: number) =>
    pair.at(pair.one, 'POST', `${admin}/registration_tokens/new`, { token, uses_allowed });
  const tokenStage = (token: string, session?: string) => ({
    type: 'm.login.registration_token',
    token,
    session,
  });
  const dummyStage = (session: string) => ({ type: 'm.login.dummy', session });

  test('a registration continues at either', async () => {
    await newToken('wander', 1);
    const begun = await register(pair.one, 'wanderer');
    const { session } = begun.body;
    const passed = await register(pair.other, 'wanderer', tokenStage('wander', session));
    expect(passed).toMatchObject({ status: 401, body: { completed: ['m.login.registration_token'] } });
    const token = await pair.at(pair.one, 'GET', `${admin}/registration_tokens/wander`);
    expect(token.body).toMatchObject({ pending: 1, completed: 0 });
    expect((await register(pair.other, 'second', tokenStage('wander'))).body.errcode).toBe('M_UNAUTHORIZED');
    expect((await register(pair.one, 'wanderer', dummyStage(session))).status).toBe(200);
    expect((await register(pair.other, 'again', dummyStage(session))).status).toBe(400);
    const used = await pair.at(pair.other, 'GET', `${admin}/registration_tokens/wander`);
    expect(used.body).toMatchObject({ pending: 0, completed: 1 });
  });

  test('the last use of a registration token is reserved once', async () => {
    await newToken('last', 1);
    const replies = await race(12, (member, number) => register(member, `l${number}`, tokenStage('last')));
    expect(replies.filter(({ body }) => body.completed?.length === 1)).toHaveLength(1);
  });

  test('an authentication session is accepted once', async () => {
    await newToken('session', 20);
    const { session } = (await register(pair.one, 's', tokenStage('session'))).body;
    const replies = await race(12, (member, number) => register(member, `s${number}`, dummyStage(session)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a nonce of one registers one user at the other', async () => {
    const { nonce } = (await pair.at(pair.one, 'GET', `${admin}/register`)).body;
    const replies = await race(8, (member, number) => {
      const username = `nonce-${number}`;
      const text = [nonce, username, password, 'notadmin'].join('\0');
      const mac = createHmac('sha1', sharedSecret).update(text).digest('hex');
      return asGuest(member, `${admin}/register`, { nonce, username, password, mac });
    });
    expect(statuses(replies)).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  test('wrong passwords count together', async () => {
    await makeUser('guessed');
    const replies = await race(6, (member) =>
      asGuest(member, `${client}/login`, { type: 'm.login.password', user: 'guessed', password: 'wrong' }),
    );
    expect(statuses(replies)).toEqual([
      ...Array.from({ length: guesses }, () => 403),
      ...Array.from({ length: 6 - guesses }, () => 429),
    ]);
  });

  test('a session signed out at one is refused at the other', async () => {
    for (const [ends, asked] of [both(), both().reverse()] as [Homeserver, Homeserver][]) {
      const token = await makeUser('leaver');
      expect((await pair.at(asked, 'GET', `${client}/account/whoami`, undefined, token)).status).toBe(200);
      expect((await pair.at(ends, 'POST', `${client}/logout`, {}, token)).status).toBe(200);
      expect((await pair.at(asked, 'GET', `${client}/account/whoami`, undefined, token)).status).toBe(401);
    }
  });

  test('suspending, locking and promoting a user at one applies at the other', async () => {
    const token = await makeUser('watched');
    const { body } = await pair.at(pair.other, 'POST', `${client}/createRoom`, {}, token);
    const say = (number: number) =>
      pair.at(
        pair.other,
        'PUT',
        `${client}/rooms/${body.room_id}/send/m.room.message/${number}`,
        { msgtype: 'm.text', body: 'x' },
        token,
      );
    expect((await say(1)).status).toBe(200);
    await pair.at(pair.one, 'PUT', `${admin}/suspend/@watched:localhost`, { suspend: true });
    expect(await say(2)).toMatchObject({ status: 403, body: { errcode: 'M_USER_SUSPENDED' } });
    await pair.at(pair.one, 'PUT', '/_service/admin/v2/users/@watched:localhost', { locked: true });
    expect(await say(3)).toMatchObject({ status: 401, body: { errcode: 'M_USER_LOCKED' } });
    await pair.at(pair.one, 'PUT', '/_service/admin/v2/users/@watched:localhost', {
      locked: false,
      admin: true,
    });
    const list = await pair.at(pair.other, 'GET', `${admin}/event_reports`, undefined, token);
    expect(list.status).toBe(200);
  });

  test("a room blocked at one can't be joined at the other", async () => {
    const token = await makeUser('joiner');
    const { room_id: room } = (
      await pair.at(pair.one, 'POST', `${client}/createRoom`, { preset: 'public_chat' })
    ).body;
    await pair.at(pair.one, 'PUT', `${admin}/rooms/${room}/block`, { block: true });
    expect((await pair.at(pair.other, 'POST', `${client}/join/${room}`, {}, token)).status).toBe(403);
  });

  test('an upload and its quarantine apply at the other', async () => {
    const id = await pair.person.upload('some text');
    const path = `/_chat/client/v1/media/download/localhost/${id}`;
    expect((await pair.at(pair.other, 'GET', path)).body).toBe('some text');
    await pair.at(pair.one, 'POST', `${admin}/media/quarantine/localhost/${id}`, {});
    expect((await pair.at(pair.other, 'GET', path)).status).toBe(404);
  });

  test('a download at one waits for an upload at the other', async () => {
    const path = '/_chat/media/v1/create';
    const { content_uri: uri } = (await pair.at(pair.one, 'POST', path, {})).body;
    const id = uri.replace('mxc://localhost/', '');
    const waiting = pair.at(
      pair.other,
      'GET',
      `/_chat/client/v1/media/download/localhost/${id}?timeout_ms=10000`,
    );
    // Other processes are notified, so they needn't wait for the next poll.
    const told = new Promise<string>((resolve) => {
      pair.database.on('notification', ({ payload = '' }) => {
        if (payload.includes(id)) resolve(payload);
      });
    });
    await pair.database.query('listen gatehouse');
    expect(await pair.person.fill(id, 'at last')).toBe(200);
    expect(await told).toContain(JSON.stringify(['media', id]));
    expect((await waiting).body).toBe('at last');
  });

  test('a download misses no upload while notifications fail, and is notified again afterwards', async () => {
    const address = async () =>
      (await pair.at(pair.one, 'POST', '/_chat/media/v1/create', {})).body.content_uri.split('/').at(-1);
    const wait = async (id: string) => {
      const path = `/_chat/client/v1/media/download/localhost/${id}?timeout_ms=10000`;
      for (;;) {
        const reply = await pair.at(pair.other, 'GET', path);
        // In the worst case the client has to retry.
        if (reply.status !== 503) return reply.body;
      }
    };
    /** Returns the backends of the other process that hold a lock or wait for it. */
    const connections = async (lock: number, granted: boolean) => {
      const { rows } = await pair.database.query(
        `select pid from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and objid = $1 and granted = $2 and application_name = 'other'
           and datname = current_database()`,
        [lock, granted],
      );
      return rows.map(({ pid }) => pid as number);
    };
    const [serving, joining] = [0x6761_7465, 0x6761_7467];
    const id = await address();
    const [held] = await connections(serving, true);
    // Blocks processes from joining, so the next notification is lost.
    await pair.database.query('select pg_advisory_lock($1)', [joining]);
    const waiting = wait(id);
    await pair.database.query('select pg_terminate_backend($1)', [held]);
    await expect.poll(() => connections(joining, false)).toHaveLength(1);
    expect(await pair.person.fill(id, 'unheard')).toBe(200);
    await pair.database.query('select pg_advisory_unlock($1)', [joining]);
    expect(await waiting).toBe('unheard');

    // Without a notification, it polls after a second; a notification is faster.
    const round = async () => {
      const next = await address();
      const begun = performance.now();
      const heard = wait(next);
      // After these replies, the download has checked for the file and waits.
      for (let count = 0; count < 5; count++) await pair.at(pair.other, 'GET', `${client}/account/whoami`);
      expect(await pair.person.fill(next, 'heard')).toBe(200);
      expect(await heard).toBe('heard');
      return performance.now() - begun;
    };
    await expect.poll(round).toBeLessThan(900);
  });

  test('the limit of pending uploads applies to both', async () => {
    const token = await makeUser('uploader');
    const replies = await race(10, (member) => pair.at(member, 'POST', '/_chat/media/v1/create', {}, token));
    expect(statuses(replies)).toEqual([...Array(5).fill(200), ...Array(5).fill(429)]);
  });

  test('a message sent to both is added once, and each returns those of the other', async () => {
    const { room_id: room } = (await pair.at(pair.one, 'POST', `${client}/createRoom`, {})).body;
    const path = `${client}/rooms/${room}/send/m.room.message`;
    const text = { msgtype: 'm.text', body: 'x' };
    const same = await race(8, (member) => pair.at(member, 'PUT', `${path}/same`, text));
    expect(new Set(same.map(({ body }) => body.event_id)).size).toBe(1);
    const all = await race(20, (member, number) => pair.at(member, 'PUT', `${path}/${number}`, text));
    expect(statuses(all)).toEqual(Array(20).fill(200));
    for (const member of both()) {
      const { body } = await pair.at(member, 'GET', `${client}/rooms/${room}/messages?dir=b&limit=21`);
      const ids = body.chunk.map(({ event_id }: { event_id: string }) => event_id);
      expect(new Set(ids)).toEqual(new Set([...same, ...all].map((reply) => reply.body.event_id)));
    }
  });

  test('one-time keys are claimed once each at either', async () => {
    const token = await makeUser('keyed');
    const names = Array.from({ length: 20 }, (_, number) => `signed_curve25519:K${number}`);
    const one_time_keys = Object.fromEntries(names.map((name) => [name, { key: name, signatures: {} }]));
    const path = `${client}/keys`;
    const kept = await pair.at(pair.one, 'POST', `${path}/upload`, { one_time_keys }, token);
    expect(kept.body.one_time_key_counts).toEqual({ signed_curve25519: 20 });
    const { device_id } = (await pair.at(pair.one, 'GET', `${client}/account/whoami`, undefined, token)).body;
    const wanted = { one_time_keys: { '@keyed:localhost': { [device_id]: 'signed_curve25519' } } };
    const replies = await race(30, (member) => pair.at(member, 'POST', `${path}/claim`, wanted));
    const claimed = replies.flatMap(({ body }) =>
      Object.keys(body.one_time_keys['@keyed:localhost']?.[device_id] ?? {}),
    );
    expect(claimed.sort()).toEqual(names.sort());
  });

  test('a to-device message sent to both arrives once', async () => {
    const token = await makeUser('told');
    const messages = { '@told:localhost': { '*': { body: 'once' } } };
    const replies = await race(8, (member) =>
      pair.at(member, 'PUT', `${client}/sendToDevice/org.example/same`, { messages }),
    );
    expect(statuses(replies)).toEqual(Array(8).fill(200));
    const { body } = await pair.at(pair.other, 'GET', `${client}/sync?timeout=0`, undefined, token);
    expect(body.to_device.events).toMatchObject([{ content: { body: 'once' } }]);
  });

  test('a login token of one is accepted once at either', async () => {
    const { login_token: token } = (await pair.at(pair.one, 'POST', '/_chat/client/v1/login/get_token', {}))
      .body;
    const replies = await race(8, (member) =>
      asGuest(member, `${client}/login`, { type: 'm.login.token', token }),
    );
    expect(statuses(replies)).toEqual([200, ...Array(7).fill(403)]);
  });
});
