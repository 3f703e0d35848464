import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, redact, say, setState } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** A room that bob came to and left, with a message of alice's from each of those times. */
async function makeHistory(history_visibility: string) {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomId = await makeRoom(alice, {
    initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility } }],
  });
  const before = await say(alice, roomId, 'before');
  await change(alice, roomId, 'invite', bob);
  const invited = await say(alice, roomId, 'invited');
  await change(bob, roomId, 'join');
  const joined = await say(alice, roomId, 'joined');
  return { alice, bob, roomId, events: { before, invited, joined } };
}

const sees = async (person: string, roomId: string, eventId: string) =>
  (await homeserver.as(person).get(path('rooms', roomId, 'event', eventId))).status === 200;

const mayReport = async (person: string, roomId: string, eventId: string) =>
  (await homeserver.as(person).post(path('rooms', roomId, 'report', eventId), {})).status === 200;

const texts = (page: Awaited<ReturnType<typeof messages>>) =>
  gist(page).filter((text) => !text.startsWith('m.'));

describe.each([
  ['world_readable', ['before', 'invited', 'joined']],
  ['shared', ['before', 'invited', 'joined']],
  ['invited', ['invited', 'joined']],
  ['joined', ['joined']],
  ['a value that nobody knows', ['before', 'invited', 'joined']],
])('a history for %s', (visibility, visible) => {
  test('is seen and reported by a member from the right moment on', async () => {
    const { bob, roomId, events } = await makeHistory(visibility);
    for (const [when, eventId] of Object.entries(events)) {
      expect([when, await sees('bob', roomId, eventId)]).toEqual([when, visible.includes(when)]);
      expect([when, await mayReport('bob', roomId, eventId)]).toEqual([when, visible.includes(when)]);
    }
    expect(texts(await messages(bob, roomId))).toEqual(visible);
  });

  test('ends for who leaves', async () => {
    const { alice, bob, roomId, events } = await makeHistory(visibility);
    await change(bob, roomId, 'leave');
    const after = await say(alice, roomId, 'after');
    await setState(alice, roomId, 'm.room.name', { name: 'after' });
    const open = visibility === 'world_readable';
    expect(texts(await messages(bob, roomId))).toEqual(visible);
    expect(await sees('bob', roomId, events.joined)).toBe(true);
    expect(await sees('bob', roomId, after)).toBe(open);
    expect(await mayReport('bob', roomId, after)).toBe(open);
    expect((await bob.get(path('rooms', roomId, 'state', 'm.room.name'))).status).toBe(404);
    expect((await bob.get(path('rooms', roomId, 'joined_members'))).status).toBe(403);

    await change(bob, roomId, 'forget');
    expect((await messages(bob, roomId)).status).toBe(open ? 200 : 403);
  });

  test('is closed to strangers, unless everyone may read it', async () => {
    const { roomId, events } = await makeHistory(visibility);
    const open = visibility === 'world_readable';
    for (const eventId of Object.values(events)) {
      expect(await sees('carol', roomId, eventId)).toBe(open);
      expect(await mayReport('carol', roomId, eventId)).toBe(open);
    }
    for (const what of ['messages', 'state', 'members', 'joined_members']) {
      const reply = await homeserver.as('carol').get(path('rooms', roomId, what));
      expect([what, reply.status]).toEqual([what, open ? 200 : 403]);
    }
  });
});

test('a change of visibility counts from there on', async () => {
  const { alice, roomId, events } = await makeHistory('joined');
  await setState(alice, roomId, 'm.room.history_visibility', { history_visibility: 'world_readable' });
  const open = await say(alice, roomId, 'open');
  await setState(alice, roomId, 'm.room.history_visibility', { history_visibility: 'joined' });
  const closed = await say(alice, roomId, 'closed');
  expect(await sees('carol', roomId, events.joined)).toBe(false);
  expect(await sees('carol', roomId, open)).toBe(true);
  expect(await sees('carol', roomId, closed)).toBe(false);
});

test('an invited user sees nothing of a shared history yet', async () => {
  const alice = homeserver.as('alice');
  const roomId = await makeRoom(alice, { preset: 'private_chat', invite: ['@bob:localhost'] });
  const eventId = await say(alice, roomId, 'x');
  expect(await sees('bob', roomId, eventId)).toBe(false);
  expect((await messages(homeserver.as('bob'), roomId)).status).toBe(403);
});

describe('reporting', () => {
  test.each<[string, unknown, number, object]>([
    ['nothing', {}, 200, { reason: null, score: null }],
    ['a reason and a score', { reason: 'spam', score: -100 }, 200, { reason: 'spam', score: -100 }],
    ['a blank reason', { reason: '' }, 200, { reason: '' }],
    ['a score above the scale', { score: 5 }, 200, { score: 5 }],
    ['a score below the scale', { score: -1000 }, 200, { score: -1000 }],
    ['a very low score', { score: Number.MIN_SAFE_INTEGER }, 200, { score: Number.MIN_SAFE_INTEGER }],
    ['more than is asked for', { reason: 'x', other: [1] }, 200, { reason: 'x' }],
    // PostgreSQL has no such character in its texts: it keeps a replacement.
    ['a null character', { reason: 'a\0b' }, 200, { reason: expect.stringMatching(/^a[\0\u{FFFD}]b$/u) }],
    ['a long reason', { reason: 'x'.repeat(70_000) }, 200, { reason: 'x'.repeat(70_000) }],
    ['a score as text', { score: '-1' }, 400, { errcode: 'M_BAD_JSON' }],
    ['half a score', { score: -1.5 }, 400, { errcode: 'M_BAD_JSON' }],
    ['a score of null', { score: null }, 400, { errcode: 'M_BAD_JSON' }],
    ['a score that nothing can hold', '{"score":1e400}', 400, { errcode: 'M_BAD_JSON' }],
    ['a huge score', '{"score":123456789012345678901234567890}', 400, { errcode: 'M_BAD_JSON' }],
    ['a true score', { score: true }, 400, { errcode: 'M_BAD_JSON' }],
    ['a reason of null', { reason: null }, 400, { errcode: 'M_BAD_JSON' }],
    ['a reason that is no text', { reason: ['x'] }, 400, { errcode: 'M_BAD_JSON' }],
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

  test('what is not in the room is not found, as if it were not there', async () => {
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

  test('a redacted event can be reported too', async () => {
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice);
    const eventId = await say(alice, roomId, 'x');
    await redact(alice, roomId, eventId);
    expect(await mayReport('alice', roomId, eventId)).toBe(true);
  });
});
