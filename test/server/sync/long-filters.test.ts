/** Filters with many patterns don't delay other users. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';
import { path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
let middle: string;
const rooms = 3;
/** Number of state event types. */
const kinds = 1_000;
const messages = 300;
/** Limit per event loop turn, in milliseconds. */
const limit = 50;

const many = <Item>(count: number, make: (number: number) => Item) =>
  Array.from({ length: count }, (_, number) => make(number));

beforeAll(async () => {
  homeserver = await startHomeserver();
  const alice = homeserver.as('alice');
  const initial_state = many(kinds, (number) => ({ type: `a.b.${number}`, content: { number } }));
  for (let made = 0; made < rooms; made++) {
    room = (await alice.post(path('createRoom'), { initial_state })).body.room_id;
  }
  for (let number = 0; number < messages; number++) {
    const content = { msgtype: 'm.text', body: 'lemur' };
    const { body } = await alice.put(path('rooms', room, 'send', 'm.room.message', `${number}`), content);
    if (number === 0) middle = body.event_id;
  }
}, 60_000);
afterAll(() => homeserver.remove());

/** As many patterns without a match as fit in a filter or URL. */
const patterns = (count: number) => many(count, (number) => `*b*z${number % 10}`);

const send = (method: string, address: string, body?: unknown) =>
  fetch(homeserver.url + address, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}` },
  });

const asked: Record<string, () => Promise<Response>> = {
  async 'what is new'() {
    const timeline = { not_types: patterns(6_000), limit: 100 };
    const kept = await homeserver
      .as('alice')
      .post(path('user', '@alice:localhost', 'filter'), { room: { timeline } });
    return send('GET', `${path('sync')}?filter=${kept.body.filter_id}`);
  },
  'the history of a room': () =>
    send(
      'GET',
      `${path('rooms', room, 'messages')}?dir=b&limit=1000&filter=${JSON.stringify({ not_types: patterns(1_000) })}`,
    ),
  'the context of an event': () =>
    send(
      'GET',
      `${path('rooms', room, 'context', middle)}?limit=10&filter=${JSON.stringify({ not_types: patterns(1_000) })}`,
    ),
  'search results': () =>
    send('POST', path('search'), {
      search_categories: { room_events: { search_term: 'lemur', filter: { not_types: patterns(8_000) } } },
    }),
  'rooms by sliding sync': () =>
    send('POST', '/_matrix/client/unstable/org.matrix.simplified_msc3575/sync', {
      lists: Object.fromEntries(
        many(20, (list) => [
          `${list}`,
          {
            ranges: [[0, 10]],
            timeline_limit: 1,
            required_state: many(1_000, (number) => [`z.${list}.${number}`, '*']),
          },
        ]),
      ),
    }),
};

test.each(Object.keys(asked))("%s doesn't block the event loop", async (what) => {
  const ask = asked[what] as (typeof asked)[string];
  const reply = await ask();
  expect({ status: reply.status, length: (await reply.text()).length }).toEqual({
    status: 200,
    length: expect.any(Number),
  });
  await expectShortTurns(limit, ask);
});
