/** The reported messages that an action would remove, from any starting point. */
import { expect, test } from 'vitest';
import { openReportsOn } from '../../renderer/actions/evidence/reports-to-hold.ts';
import type { Item } from '../../renderer/actions/items.ts';
import { teamConsoles } from './team-consoles.ts';

const team = teamConsoles();
const as = (person: string) => team.homeserver.as(person);
const client = '/_chat/client/v3';
const path = encodeURIComponent;
const alice = '@alice:localhost';

async function createRoom() {
  const { body } = await as('alice').post(`${client}/createRoom`, { preset: 'public_chat' });
  await as('carol').post(`${client}/rooms/${path(body.room_id)}/join`, {});
  return body.room_id as string;
}

/** Sends a message that the other user reports. Returns its ID. */
async function report(roomId: string, { by = 'alice', url }: { by?: string; url?: string } = {}) {
  const room = `${client}/rooms/${path(roomId)}`;
  const content = url ? { msgtype: 'm.image', body: 'a.png', url } : { msgtype: 'm.text', body: 'Spam' };
  const { body } = await as(by).put(`${room}/send/m.room.message/${crypto.randomUUID()}`, content);
  const reporter = by === 'alice' ? 'carol' : 'alice';
  await as(reporter).post(`${room}/report/${path(body.event_id)}`, { reason: 'Spam' });
  return body.event_id as string;
}

async function upload(text: string) {
  const { body } = await as('alice').post('/_chat/media/v3/upload?filename=a.json', { text });
  return body.content_uri as string;
}

function openConsole() {
  const console = team.open('admin');
  const { signal } = new AbortController();
  /** Returns the IDs of the reports, newest first. */
  const find = async (...items: Item[]) =>
    (await openReportsOn(console.context, items, signal)).map(({ id }) => id);
  return { console, find };
}

test("all open reports on users' messages and on rooms' content are found, once", async () => {
  const [one, other] = [await createRoom(), await createRoom()];
  await report(one);
  await report(other, { by: 'carol' });
  await report(other);
  await report(one, { by: 'carol' });
  const { console, find } = openConsole();
  const user = { kind: 'user', userId: alice } as const;
  const rooms = [one, other].map((roomId) => ({ kind: 'room', roomId }) as const);
  expect(await find(user)).toEqual([3, 1]);
  expect(await find(...rooms)).toEqual([4, 3, 2, 1]);
  expect(await find(user, rooms[0] as Item)).toEqual([4, 3, 1]);
  // Too many to load a list of each.
  const others = Array.from({ length: 20 }, (_, n): Item => ({ kind: 'user', userId: `@u${n}:localhost` }));
  expect(await find(...others, user)).toEqual([3, 1]);

  console.team.mark([3], 'reviewed');
  console.team.mark([1], 'escalated');
  expect(await find(user)).toEqual([1]);
  console.context.deletedReports.bury(console.server.id, [1], 'waiting');
  expect(await find(user)).toEqual([]);
});

test('for an event, reports on it are found, unless the action starts from a report on it', async () => {
  const roomId = await createRoom();
  const [eventId] = [await report(roomId), await report(roomId)];
  await as('carol').post(`${client}/rooms/${path(roomId)}/report/${path(eventId)}`, { reason: 'Again' });
  const { find } = openConsole();
  const event = { kind: 'event', roomId, eventId, sender: alice } as const;
  expect(await find(event)).toEqual([3, 1]);
  expect(await find({ ...event, reports: [1] })).toEqual([]);
});

test('for a file, reports on messages that show it are found', async () => {
  const [roomId, other] = [await createRoom(), await createRoom()];
  const [url, unreported] = [await upload('one'), await upload('two')];
  await report(roomId);
  await report(other, { url });
  const { find } = openConsole();
  const file = (of: { userId: string } | { roomId: string }, uri = url): Item => ({ kind: 'media', uri, of });
  expect(await find(file({ userId: alice }))).toEqual([2]);
  expect(await find(file({ roomId: other }))).toEqual([2]);
  expect(await find(file({ roomId }))).toEqual([]);
  expect(await find(file({ userId: alice }, unreported))).toEqual([]);
  // Lists that don't name the uploader have the admin's ID.
  expect(await find(file({ userId: '@admin:localhost' }))).toEqual([2]);
});
