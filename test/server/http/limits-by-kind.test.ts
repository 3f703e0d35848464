import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents } from '../../../server/conversation/rooms/events/append-events.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { type ManualClock, manualClock } from '../../manual-clock.ts';
import { type Reply, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const few = { perSecond: 0.5, burstCount: 2 };
const client = '/_chat/client/v3';

let clock: ManualClock;
let homeserver: TestHomeserver;
beforeAll(async () => {
  clock = manualClock();
  homeserver = await startHomeserver({
    clock,
    config: {
      rateLimits: {
        ...unlimited,
        joins: few,
        invitesPerRoom: { perSecond: 0.5, burstCount: 4 },
        invitesPerUser: { perSecond: 0.5, burstCount: 2 },
        invitesPerIssuer: { perSecond: 0.5, burstCount: 3 },
        roomCreation: { perSecond: 0.5, burstCount: 5 },
        mediaCreation: few,
        profileChanges: few,
        accountData: few,
      },
    },
  });
});
afterEach(() => clock.advance(60_000));
afterAll(() => homeserver.remove());

const as = (person: string) => homeserver.as(person);
const makeRoom = async (person: string, body: object = {}): Promise<string> =>
  (await as(person).post(`${client}/createRoom`, body)).body.room_id;
const statusesOf = async (calls: (() => Promise<Reply>)[]) => {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
};
const tooSoon = { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2000 } };

test('room creations of a user', async () => {
  const make = () => as('alice').post(`${client}/createRoom`, {});
  expect(await statusesOf(Array.from({ length: 5 }, () => make))).toEqual([200, 200, 200, 200, 200]);
  expect(await make()).toMatchObject(tooSoon);
  expect((await as('bob').post(`${client}/createRoom`, {})).status).toBe(200);
});

test('joins and knocks of a user, by any endpoint', async () => {
  const [one, two, three, asked] = await Promise.all([
    makeRoom('alice', { preset: 'public_chat' }),
    makeRoom('alice', { preset: 'public_chat' }),
    makeRoom('alice', { preset: 'public_chat' }),
    makeRoom('alice', {
      initial_state: [{ type: 'm.room.join_rules', state_key: '', content: { join_rule: 'knock' } }],
    }),
  ]);
  const state = `${client}/rooms/${three}/state/m.room.member/${as('bob').userId}`;
  expect((await as('bob').post(`${client}/join/${one}`)).status).toBe(200);
  expect((await as('bob').post(`${client}/rooms/${two}/join`)).status).toBe(200);
  expect(await as('bob').put(state, { membership: 'join' })).toMatchObject(tooSoon);
  expect(await as('bob').post(`${client}/join/${three}`)).toMatchObject(tooSoon);
  expect(await as('bob').post(`${client}/knock/${asked}`)).toMatchObject(tooSoon);
  expect((await as('carol').post(`${client}/join/${one}`)).status).toBe(200);
  clock.advance(2000);
  expect((await as('bob').put(state, { membership: 'join' })).status).toBe(200);
  expect(await as('bob').post(`${client}/knock/${asked}`)).toMatchObject(tooSoon);
  // An admin's action doesn't count towards the user's limit.
  const added = await as('admin').post(`/_service/admin/v1/join/${one}`, { user_id: '@admin:localhost' });
  expect(added.status).toBe(200);
});

describe('invites', () => {
  const invite = (person: string, room: string, guest: string) =>
    as(person).post(`${client}/rooms/${room}/invite`, { user_id: `@${guest}:localhost` });
  const inviteByState = (person: string, room: string, guest: string) =>
    as(person).put(`${client}/rooms/${room}/state/m.room.member/@${guest}:localhost`, {
      membership: 'invite',
    });

  test('by one user', async () => {
    const room = await makeRoom('alice');
    for (const guest of ['g1', 'g2']) expect((await invite('alice', room, guest)).status).not.toBe(429);
    expect((await inviteByState('alice', room, 'g3')).status).not.toBe(429);
    expect(await invite('alice', room, 'g4')).toMatchObject(tooSoon);
    expect(await inviteByState('alice', room, 'g4')).toMatchObject(tooSoon);
    expect((await invite('bob', await makeRoom('bob'), 'g4')).status).not.toBe(429);
  });

  test('of one user, with refused ones not counted', async () => {
    for (const person of ['alice', 'bob']) {
      expect((await invite(person, await makeRoom(person), 'carol')).status).toBe(200);
    }
    const room = await makeRoom('alice');
    expect(await invite('alice', room, 'carol')).toMatchObject(tooSoon);
    for (const guest of ['h1', 'h2']) expect((await invite('alice', room, guest)).status).not.toBe(429);
    expect(await invite('alice', room, 'h3')).toMatchObject(tooSoon);
  });

  test('to one room', async () => {
    const room = await makeRoom('alice', { preset: 'public_chat', invite: ['@bob:localhost'] });
    await as('bob').post(`${client}/join/${room}`);
    for (const guest of ['i1', 'i2']) expect((await invite('alice', room, guest)).status).not.toBe(429);
    for (const guest of ['i3', 'i4']) expect((await invite('bob', room, guest)).status).not.toBe(429);
    expect(await invite('bob', room, 'i5')).toMatchObject(tooSoon);
  });

  test('sent with a new room', async () => {
    const member = (user: string) => ({
      type: 'm.room.member',
      state_key: user,
      content: { membership: 'invite' },
    });
    const make = (invite: string[], state: object[] = []) =>
      as('alice').post(`${client}/createRoom`, { invite, initial_state: state });
    expect(
      await make(['@j1:localhost', '@j2:localhost'], [member('@j3:localhost'), member('@j4:localhost')]),
    ).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN' },
    });
    expect((await make(['@bob:localhost', '@carol:localhost'])).status).toBe(200);
    expect(await make(['@bob:localhost', '@carol:localhost'])).toMatchObject(tooSoon);
    expect((await make(['@bob:localhost'])).status).toBe(200);
    expect((await make([])).status).toBe(200);
  });
});

test("a room refused for its invites doesn't count", async () => {
  const make = (invite: string[] = []) => as('alice').post(`${client}/createRoom`, { invite });
  expect((await make(['@k1:localhost', '@k2:localhost', '@k3:localhost'])).status).toBe(200);
  for (let count = 0; count < 10; count++) expect(await make(['@k4:localhost'])).toMatchObject(tooSoon);
  expect(await statusesOf(Array.from({ length: 5 }, () => () => make()))).toEqual([200, 200, 200, 200, 429]);
});

test('uploads and media ID reservations of a user', async () => {
  const upload = () => as('alice').post('/_chat/media/v3/upload', 'content');
  const create = () => as('alice').post('/_chat/media/v1/create', {});
  expect(await statusesOf([upload, create, upload, create])).toEqual([200, 200, 429, 429]);
  clock.advance(4000);
  // The upload was counted when the media ID was created.
  const { body } = await create();
  const [mediaId] = body.content_uri.split('/').slice(-1);
  expect((await upload()).status).toBe(200);
  const put = await as('alice').put(`/_chat/media/v3/upload/localhost/${mediaId}`, 'content');
  expect(put.status).toBe(200);
});

test('profile changes', async () => {
  const rename = (name: string) =>
    as('alice').put(`${client}/profile/@alice:localhost/displayname`, { displayname: name });
  const picture = () => as('alice').put(`${client}/profile/@alice:localhost/avatar_url`, { avatar_url: '' });
  expect(await statusesOf([() => rename('a'), picture, () => rename('b'), picture])).toEqual([
    200, 200, 429, 429,
  ]);
  expect((await as('alice').get(`${client}/profile/@alice:localhost`)).body.displayname).toBe('a');
});

test('account data and tag changes', async () => {
  const room = await makeRoom('alice');
  const user = `${client}/user/@alice:localhost`;
  const data = () => as('alice').put(`${user}/account_data/org.x`, {});
  const roomData = () => as('alice').put(`${user}/rooms/${room}/account_data/org.x`, {});
  const tag = () => as('alice').put(`${user}/rooms/${room}/tags/u.x`, {});
  const untag = () => as('alice').delete(`${user}/rooms/${room}/tags/u.x`);
  expect(await statusesOf([data, roomData, tag, untag, data])).toEqual([200, 200, 429, 429, 429]);
  clock.advance(4000);
  expect(await statusesOf([tag, untag, roomData])).toEqual([200, 200, 429]);
  expect((await as('alice').get(`${user}/account_data/org.x`)).status).toBe(200);
});

test('concurrent history pages of a user', async () => {
  const room = await makeRoom('alice', { preset: 'public_chat' });
  await as('bob').post(`${client}/join/${room}`);
  const long = {
    ...{ type: 'm.room.message', sender: as('alice').userId },
    content: { msgtype: 'm.text', body: 'long '.repeat(1_000) },
  };
  const { services } = homeserver;
  await inTransaction(services.db, (tx) =>
    appendEvents(
      tx,
      services,
      room,
      Array.from({ length: 500 }, () => long),
    ),
  );
  // The filter scans all events without a match, so each request takes time.
  const none = encodeURIComponent(JSON.stringify({ types: ['org.example.none'] }));
  const read = (person: string) => as(person).get(`${client}/rooms/${room}/messages?dir=b&filter=${none}`);
  const atOnce = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({ length: 40 }, ask));
  // Opens all connections first.
  await atOnce(() => as('guest').get('/_chat/client/versions'));
  const [ofBob, replies] = await Promise.all([read('bob'), atOnce(() => read('alice'))]);
  expect(ofBob.status).toBe(200);
  const [done, refused] = [200, 429].map((status) => replies.filter((reply) => reply.status === status));
  expect(done?.length).toBeGreaterThanOrEqual(10);
  expect(refused).toContainEqual(
    expect.objectContaining({
      body: { errcode: 'M_LIMIT_EXCEEDED', error: expect.any(String), retry_after_ms: 1000 },
    }),
  );
  expect((await read('alice')).status).toBe(200);
});
