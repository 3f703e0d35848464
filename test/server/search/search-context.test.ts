/** Search results' context: surrounding events, their senders' profiles and room state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEvents } from '../../../server/conversation/rooms/events/event-store.ts';
import { surroundingsOf } from '../../../server/conversation/search/surroundings.ts';
import { countingInto } from '../../../server/platform/database/query/statements.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  homeserver = await startHomeserver();
  [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
});
afterAll(() => homeserver.remove());

type Said = { content: { body: string } };
type Result = {
  result: Said;
  context: {
    events_before: Said[];
    events_after: Said[];
    start: string;
    end: string;
    profile_info?: Record<string, { displayname: string }>;
  };
};

async function find(who: Caller, search_term: string, more: object = {}) {
  const criteria = { search_term, order_by: 'recent', ...more };
  const reply = await who.post(path('search'), { search_categories: { room_events: criteria } });
  return reply.body.search_categories.room_events as {
    results: Result[];
    state: Record<string, { room_id: string; type: string }[]>;
  };
}

const around = ({ results }: { results: Result[] }) =>
  results.map(({ result, context }) => [
    context.events_before.map(({ content }) => content.body),
    result.content.body,
    context.events_after.map(({ content }) => content.body),
  ]);

test("each message has its own context, including others' messages, with names of that time", async () => {
  const [one, two] = [await makeRoom(alice), await makeRoom(alice)];
  await change(bob, two, 'join');
  await say(alice, one, 'a');
  await say(alice, one, 'b lemur');
  await say(alice, two, 'c');
  await say(bob, two, 'd lemur');
  await say(alice, one, 'e');
  await say(alice, one, 'f lemur');
  await bob.put(path('profile', bob.userId, 'displayname'), { displayname: 'Robert' });
  await say(bob, two, 'g lemur');

  const event_context = { before_limit: 2, after_limit: 1, include_profile: true };
  const found = await find(alice, 'lemur', { event_context, include_state: true });
  // Joins and name changes have no text.
  expect(around(found)).toEqual([
    [[undefined, 'd lemur'], 'g lemur', []],
    [['e', 'b lemur'], 'f lemur', []],
    [['c', undefined], 'd lemur', [undefined]],
    [['a', undefined], 'b lemur', ['e']],
  ]);
  const names = found.results.map(({ context: { profile_info } }) => profile_info?.[bob.userId]?.displayname);
  expect(names).toEqual(['Robert', undefined, 'Robert', undefined]);
  expect(Object.keys(found.state).sort()).toEqual([one, two].sort());
  for (const [roomId, state] of Object.entries(found.state)) {
    expect(state[0]?.type).toBe('m.room.create');
    expect(new Set(state.map(({ room_id }) => room_id))).toEqual(new Set([roomId]));
  }
  for (const { context } of (
    await find(alice, 'lemur', { event_context: { before_limit: 0, after_limit: 0 } })
  ).results) {
    expect(context).toMatchObject({ events_before: [], events_after: [] });
    expect(context).not.toHaveProperty('profile_info');
  }
});

test("history before a user's join stays hidden in contexts", async () => {
  const closed = await makeRoom(alice);
  await setState(alice, closed, 'm.room.history_visibility', { history_visibility: 'joined' });
  await say(alice, closed, 'secret');
  await change(bob, closed, 'join');
  await say(alice, closed, 'indri');
  const event_context = { before_limit: 2, after_limit: 0 };
  expect(around(await find(bob, 'indri', { event_context }))).toEqual([[[undefined], 'indri', []]]);
  expect(around(await find(alice, 'indri', { event_context }))).toEqual([
    [[undefined, 'secret'], 'indri', []],
  ]);
});

test('the contexts of ten messages take as few statements as one', async () => {
  const { db, clock } = homeserver.services;
  const rooms = [await makeRoom(alice), await makeRoom(alice)];
  const ids: string[] = [];
  for (let index = 0; index < 10; index++) {
    ids.push(await say(alice, rooms[index % 2] ?? '', `sifaka ${index}`));
  }
  const requester = { userId: alice.userId, deviceId: null, actsFor: undefined };
  const reader = { requester, now: clock.now(), upTo: undefined };
  const statementsOf = async (some: string[]) => {
    const found = await findEvents(db, some);
    const usage = { statements: 0, milliseconds: 0 };
    await new Promise((resolve, reject) => {
      countingInto(usage, () => {
        const asked = { beforeLimit: 5, afterLimit: 5, members: true };
        surroundingsOf(db, reader, found, new Map(rooms.map((room) => [room, 0])), asked).then(
          resolve,
          reject,
        );
      });
    });
    return usage.statements;
  };
  const ofOne = await statementsOf(ids.slice(0, 1));
  expect(ofOne).toBeGreaterThan(0);
  expect(await statementsOf(ids)).toBe(ofOne);
});
