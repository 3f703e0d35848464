/** Large search contexts: reading them doesn't delay other users. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';
import { makeRoom } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
/** Results per page, and events around each. */
const [count, around] = [100, 50];
/** Limit per event loop turn, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
  const alice = homeserver.as('alice');
  room = await makeRoom(alice);
  const content = { msgtype: 'm.text', body: 'lemur', more: 'x'.repeat(isMatrix ? 12_000 : 3_000) };
  for (let number = 0; number < count; number++) {
    const path = `${client}/rooms/${encodeURIComponent(room)}/send/m.room.message/${number}`;
    expect(await alice.put(path, content)).toMatchObject({ status: 200 });
  }
}, 60_000);
afterAll(() => homeserver.remove());

test("a full page of results with contexts doesn't block the event loop", async () => {
  const event_context = { before_limit: around, after_limit: around, include_profile: true };
  const ask = () =>
    search({ search_term: 'lemur', filter: { limit: count }, event_context, order_by: 'recent' });
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  const { results } = ((await (await ask()).json()) as any).search_categories.room_events;
  expect(results).toHaveLength(count);
  const middle = results[around].context;
  expect(middle.events_before).toHaveLength(around);
  expect(middle.events_after).toHaveLength(around);
  expect(middle.profile_info).toHaveProperty([homeserver.as('alice').userId]);
  await expectShortTurns(limit, ask);
});

test("a page of messages full of matches doesn't block the event loop", async () => {
  const alice = homeserver.as('alice');
  const body = Array.from({ length: 1_500 }, (_, number) => `okapi${number}`).join(' ');
  for (let number = 0; number < count; number++) {
    const path = `${client}/rooms/${encodeURIComponent(room)}/send/m.room.message/full-${number}`;
    expect(await alice.put(path, { msgtype: 'm.text', body })).toMatchObject({ status: 200 });
  }
  const ask = () => search({ search_term: 'okapi', filter: { limit: count } });
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  const { results, highlights } = ((await (await ask()).json()) as any).search_categories.room_events;
  expect(results).toHaveLength(count);
  expect(highlights).toContain('okapi1499');
  await expectShortTurns(limit, ask);
});

const search = (room_events: Record<string, unknown>) =>
  fetch(`${homeserver.url}${client}/search`, {
    method: 'POST',
    body: JSON.stringify({ search_categories: { room_events } }),
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}` },
  });
