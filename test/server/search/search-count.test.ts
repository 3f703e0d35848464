/** The number of results that a search reports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendEvents } from '../../../server/conversation/rooms/events/append-events.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

test('is exact up to two thousand and capped there, and pages show further results', async () => {
  const { services } = homeserver;
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  let said = 0;
  const say = (count: number) => {
    const drafts = Array.from({ length: count }, () => ({
      ...{ type: 'm.room.message', sender: alice.userId },
      content: { msgtype: 'm.text', body: `emu ${said++}` },
    }));
    return inTransaction(services.db, (tx) => appendEvents(tx, services, room, drafts));
  };
  const find = async (query = '') => {
    const criteria = { search_term: 'emu', order_by: 'recent', filter: { rooms: [room], limit: 500 } };
    const reply = await alice.post(`${path('search')}${query}`, {
      search_categories: { room_events: criteria },
    });
    return reply.body.search_categories.room_events;
  };
  await say(1_000);
  // Each search first indexes some thousand messages.
  expect((await find()).count).toBe(1_000);
  await say(999);
  expect((await find()).count).toBe(1_999);
  await say(301);
  const shown = new Set<string>();
  for (let query = ''; ; ) {
    const { count, results, next_batch } = await find(query);
    expect(count).toBe(2_000);
    for (const { result } of results) shown.add(result.event_id);
    if (!next_batch) break;
    query = `?next_batch=${next_batch}`;
  }
  expect(shown.size).toBe(2_300);
});
