/** Pages of a room's filtered history, with the members included in them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, messages, path, say, setState } from './client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
let room: string;
let first: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  alice = homeserver.as('alice');
  bob = homeserver.as('bob');
  room = await makeRoom(alice);
  await change(bob, room, 'join');
  first = await say(alice, room, 'a1');
  await say(bob, room, 'b1');
  await setState(alice, room, 'm.room.name', { name: 'named' });
  await bob.put(path('rooms', room, 'send', 'm.room.message', 'picture'), {
    msgtype: 'm.image',
    body: 'picture',
    url: 'mxc://localhost/x',
  });
  await bob.put(path('rooms', room, 'send', 'm.reaction', 'reaction'), {
    'm.relates_to': { rel_type: 'm.annotation', event_id: first, key: '+' },
  });
  await say(alice, room, 'a2');
});
afterAll(() => homeserver.remove());

const page = (filter: unknown, query = 'dir=b&limit=100') =>
  messages(alice, room, `${query}&filter=${encodeURIComponent(JSON.stringify(filter))}`);
const gist = (events: { type: string; content: { body?: string } }[]) =>
  events.map(({ type, content }) => content.body ?? type);

test.each<[string, object, string[]]>([
  ['types', { types: ['m.room.message'] }, ['a2', 'picture', 'b1', 'a1']],
  ['patterns of types', { types: ['m.room.n*', 'm.react*'] }, ['m.reaction', 'm.room.name']],
  ['unwanted types', { types: ['m.*'], not_types: ['m.room.*'] }, ['m.reaction']],
  ['senders', { senders: ['@bob:localhost'], types: ['m.room.message'] }, ['picture', 'b1']],
  ['unwanted senders', { not_senders: ['@bob:localhost'], types: ['m.room.message'] }, ['a2', 'a1']],
  ['links', { contains_url: true }, ['picture']],
  ['no links', { contains_url: false, types: ['m.room.message'] }, ['a2', 'b1', 'a1']],
  ['other rooms', { not_rooms: ['!x:localhost'], types: ['m.reaction'] }, ['m.reaction']],
  ["relations to others' events", { related_by_rel_types: ['m.annotation'] }, ['a1']],
  ['relations to an event', { related_by_senders: ['@alice:localhost'] }, []],
  ['nothing', { types: [] }, []],
  ['an invalid filter', { types: ['m.reaction'], senders: 5, limit: -1 }, ['m.reaction']],
])('by %s', async (_, filter, expected) => {
  expect(gist((await page(filter)).body.chunk)).toEqual(expected);
});

test('continues from page to page', async () => {
  const filter = { types: ['m.room.message'] };
  const { body } = await page(filter, 'dir=b&limit=3');
  expect(gist(body.chunk)).toEqual(['a2', 'picture', 'b1']);
  expect(gist((await page(filter, `dir=b&limit=3&from=${body.end}`)).body.chunk)).toEqual(['a1']);
  expect(gist((await page({ rooms: ['!x:localhost'] })).body.chunk)).toEqual([]);
});

test('includes the members who sent them, and no others, if requested', async () => {
  const lazy = (await page({ lazy_load_members: true, types: ['m.room.message'] }, 'dir=f&limit=1')).body;
  expect(lazy.state.map(({ state_key }: { state_key: string }) => state_key)).toEqual(['@alice:localhost']);
  expect((await page({ types: ['m.room.message'] })).body).not.toHaveProperty('state');
});

test('filters the context of an event and its state', async () => {
  const filter = encodeURIComponent(
    JSON.stringify({ types: ['m.room.message', 'm.room.member'], lazy_load_members: true }),
  );
  const { body } = await alice.get(`${path('rooms', room, 'context', first)}?limit=4&filter=${filter}`);
  expect(gist(body.events_after)).toEqual(['b1', 'picture']);
  expect(body.state.map(({ type }: { type: string }) => type)).toEqual(['m.room.member', 'm.room.member']);
});

test.each([
  ['no JSON', '{', 'M_NOT_JSON'],
  ['no object', '[]', 'M_NOT_JSON'],
])('refuses %s', async (_, filter, errcode) => {
  const reply = await messages(alice, room, `dir=b&filter=${encodeURIComponent(filter)}`);
  expect(reply).toMatchObject({ status: 400, body: { errcode } });
});
