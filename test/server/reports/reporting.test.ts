import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, redact, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

describe('reporting an event', () => {
  test.each<[string, unknown, number, object]>([
    ['nothing', {}, 200, { reason: null, score: null }],
    ['a reason and a score', { reason: 'spam', score: -100 }, 200, { reason: 'spam', score: -100 }],
    ['a blank reason', { reason: '' }, 200, { reason: '' }],
    ['a score above the scale', { score: 5 }, 200, { score: 5 }],
    ['a score below the scale', { score: -1000 }, 200, { score: -1000 }],
    ['a very low score', { score: Number.MIN_SAFE_INTEGER }, 200, { score: Number.MIN_SAFE_INTEGER }],
    ['with additional fields', { reason: 'x', other: [1] }, 200, { reason: 'x' }],
    // PostgreSQL text can't contain this character, so a replacement is stored.
    ['a null character', { reason: 'a\0b' }, 200, { reason: expect.stringMatching(/^a[\0\u{FFFD}]b$/u) }],
    ['a long reason', { reason: 'x'.repeat(70_000) }, 200, { reason: 'x'.repeat(70_000) }],
    ['a score as text', { score: '-1' }, 400, { errcode: 'M_BAD_JSON' }],
    ['half a score', { score: -1.5 }, 400, { errcode: 'M_BAD_JSON' }],
    ['a score of null', { score: null }, 400, { errcode: 'M_BAD_JSON' }],
    ['a score that is too large', '{"score":1e400}', 400, { errcode: 'M_BAD_JSON' }],
    ['a huge score', '{"score":123456789012345678901234567890}', 400, { errcode: 'M_BAD_JSON' }],
    ['a true score', { score: true }, 400, { errcode: 'M_BAD_JSON' }],
    ['a reason of null', { reason: null }, 400, { errcode: 'M_BAD_JSON' }],
    ["a reason that isn't a string", { reason: ['x'] }, 400, { errcode: 'M_BAD_JSON' }],
    ['half a character', '{"reason":"\\ud800"}', 400, { errcode: 'M_BAD_JSON' }],
    ['a list', [], 400, { errcode: 'M_BAD_JSON' }],
    ['no body', undefined, 400, { errcode: 'M_NOT_JSON' }],
    ['text', 'x', 400, { errcode: 'M_NOT_JSON' }],
  ])('with %s', async (_, body, status, expected) => {
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice, { name: 'Reported' });
    const eventId = await say(alice, roomId, 'rude');
    const reply = await alice.post(path('rooms', roomId, 'report', eventId), body);
    expect(reply.status).toBe(status);
    if (status !== 200) {
      expect(reply.body).toMatchObject(expected);
      return;
    }
    expect(reply.body).toEqual({});
    const { db } = homeserver.services;
    const report = await db
      .selectFrom('event_reports')
      .selectAll()
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    expect(report).toMatchObject({
      room_id: roomId,
      user_id: alice.userId,
      sender: alice.userId,
      ...expected,
    });
  });

  test.each([
    ['nobody', 'guest', 401, 'M_MISSING_TOKEN'],
    ['a stranger', 'bob', 404, 'M_NOT_FOUND'],
    ['an administrator who is not in the room', 'admin', 404, 'M_NOT_FOUND'],
  ])('by %s', async (_, person, status, errcode) => {
    const roomId = await makeRoom(homeserver.as('alice'));
    const eventId = await say(homeserver.as('alice'), roomId, 'x');
    const reply = await homeserver.as(person).post(path('rooms', roomId, 'report', eventId), {});
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test("an event in another room isn't found", async () => {
    const alice = homeserver.as('alice');
    const [roomId, other] = [await makeRoom(alice), await makeRoom(alice)];
    const eventId = await say(alice, other, 'x');
    const replies = await Promise.all(
      [
        [roomId, eventId],
        [roomId, '$nothing'],
        ['!nowhere:localhost', eventId],
        ['x', 'y'],
      ].map(([room = '', event = '']) => alice.post(path('rooms', room, 'report', event), {})),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: replies[0]?.body });
    }
  });

  test('a redacted event can be reported', async () => {
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice);
    const eventId = await say(alice, roomId, 'x');
    await redact(alice, roomId, eventId);
    expect((await alice.post(path('rooms', roomId, 'report', eventId), {})).status).toBe(200);
  });
});

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  test.each<[string, string, string, unknown, number, string]>([
    ['nobody', 'guest', 'users/@bob:localhost', { reason: 'x' }, 401, 'M_MISSING_TOKEN'],
    ['no body', 'alice', 'users/@bob:localhost', undefined, 400, 'M_NOT_JSON'],
    ['no reason', 'alice', 'users/@bob:localhost', {}, 400, 'M_MISSING_PARAM'],
    ['a number', 'alice', 'users/@bob:localhost', { reason: 5 }, 400, 'M_BAD_JSON'],
    ['a novel', 'alice', 'users/@bob:localhost', { reason: 'x'.repeat(1001) }, 400, 'M_BAD_JSON'],
    ['half a character', 'alice', 'users/@bob:localhost', '{"reason":"\\ud800"}', 400, 'M_BAD_JSON'],
    ['anonymously on a room', 'guest', 'rooms/!a:localhost', { reason: 'x' }, 401, 'M_MISSING_TOKEN'],
    ['a room without a reason', 'alice', 'rooms/!a:localhost', {}, 400, 'M_MISSING_PARAM'],
    ['a room and a number', 'alice', 'rooms/!a:localhost', { reason: 5 }, 400, 'M_BAD_JSON'],
    ['no room', 'alice', 'rooms/!a:localhost', { reason: 'x' }, 404, 'M_NOT_FOUND'],
    ['a word for a room', 'alice', 'rooms/room', { reason: 'x' }, 404, 'M_NOT_FOUND'],
  ])('accepts no report from %s', async (__, caller, what, body, status, errcode) => {
    const target = `${chat}/client/v3/${what}/report`;
    expect(await homeserver.as(caller).post(target, body)).toMatchObject({ status, body: { errcode } });
  });

  test('a reason has up to 1000 characters', async () => {
    const target = `${chat}/client/v3/users/@carol:localhost/report`;
    expect((await homeserver.as('alice').post(target, { reason: 'x'.repeat(1000) })).status).toBe(200);
  });

  test('older clients don’t know them', async () => {
    expect(
      await homeserver.as('alice').post(`${chat}/client/r0/users/@bob:localhost/report`, {}),
    ).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
  });
});

test('anyone can report a room, member or not', async () => {
  const roomId = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  expect(await homeserver.as('bob').post(path('rooms', roomId, 'report'), { reason: '' })).toMatchObject({
    status: 200,
    body: {},
  });
  const kept = await homeserver.services.db.selectFrom('room_reports').selectAll().execute();
  expect(kept).toEqual([
    {
      id: expect.any(Number),
      received_ts: expect.any(Number),
      room_id: roomId,
      user_id: '@bob:localhost',
      reason: '',
    },
  ]);
});
