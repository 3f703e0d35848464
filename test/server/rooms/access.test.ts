import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, say, setState } from './client.ts';

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
