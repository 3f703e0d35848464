import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { gist, makeRoom, messages, path, redact, say } from './client.ts';

let homeserver: TestHomeserver;
let roomId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());
beforeEach(async () => {
  roomId = await makeRoom(homeserver.as('alice'));
});

describe('paging', () => {
  const types = [
    'm.room.create',
    'm.room.member',
    'm.room.power_levels',
    'm.room.join_rules',
    'm.room.history_visibility',
  ];

  test('covers everything in both directions and back', async () => {
    const alice = homeserver.as('alice');
    for (const text of ['a', 'b', 'c']) await say(alice, roomId, text);
    const all = [...types, 'a', 'b', 'c'];
    for (const [dir, expected] of [
      ['f', all],
      ['b', [...all].reverse()],
    ] as const) {
      const found: string[] = [];
      let from = '';
      for (;;) {
        const page = await messages(alice, roomId, `dir=${dir}&limit=3${from && `&from=${from}`}`);
        found.push(...gist(page));
        if (!page.body.end) break;
        from = page.body.end;
      }
      expect(found).toEqual(expected);
    }
    const last = await messages(alice, roomId, 'dir=b&limit=2');
    expect(gist(await messages(alice, roomId, `dir=f&from=${last.body.end}`))).toEqual(['b', 'c']);
    expect(gist(await messages(alice, roomId, `dir=b&to=${last.body.end}`))).toEqual(['c', 'b']);
    expect(gist(await messages(alice, roomId, `dir=f&from=${last.body.end}&to=${last.body.start}`))).toEqual([
      'b',
      'c',
    ]);
  });

  test.each([
    ['dir=x', 400, 'M_INVALID_PARAM'],
    ['limit=-1', 400, 'M_INVALID_PARAM'],
    ['limit=x', 400, 'M_INVALID_PARAM'],
    ['from=x', 400, 'M_UNKNOWN'],
    ['to=s-1', 400, 'M_UNKNOWN'],
    ['from=s99999999999999999999', 400, 'M_UNKNOWN'],
    ['filter=x', 400, 'M_NOT_JSON'],
    ['filter=[]', 400, 'M_NOT_JSON'],
    ['filter={"limit":-5,"types":5}', 200, undefined],
    ['limit=0', 200, undefined],
    ['limit=1000000&from=&dir=b', 200, undefined],
    ['dir=f&from=s999999999999999', 200, undefined],
  ])('?%s', async (query, status, errcode) => {
    const reply = await messages(homeserver.as('alice'), roomId, query);
    expect(reply.status).toBe(status);
    expect(reply.body.errcode).toBe(errcode);
  });

  test('an event with its context', async () => {
    const alice = homeserver.as('alice');
    const [, , third] = [
      await say(alice, roomId, 'a'),
      await say(alice, roomId, 'b'),
      await say(alice, roomId, 'c'),
    ];
    await say(alice, roomId, 'd');
    await say(alice, roomId, 'e');
    const context = async (limit: string) => {
      const { body } = await alice.get(`${path('rooms', roomId, 'context', third)}${limit}`);
      const { event, events_before, events_after } = body;
      return [events_before, [event], events_after].map((chunk) => gist({ body: { chunk } } as never));
    };
    expect(await context('?limit=0')).toEqual([[], ['c'], []]);
    expect(await context('?limit=1')).toEqual([[], ['c'], ['d']]);
    expect(await context('?limit=3')).toEqual([['b'], ['c'], ['d', 'e']]);
    expect(await context('')).toEqual([['b', 'a', ...types.slice(2).reverse()], ['c'], ['d', 'e']]);
    const { body } = await alice.get(`${path('rooms', roomId, 'context', third)}?limit=2`);
    expect(gist(await messages(alice, roomId, `dir=f&from=${body.end}`))).toEqual(['e']);
    expect(gist(await messages(alice, roomId, `dir=b&limit=1&from=${body.start}`))).toEqual(['a']);
    expect(gist({ body: { chunk: body.state } } as never).sort()).toEqual([...types].sort());
  });
});

test.each([
  ['alice', 'event', '$nothing', 404, 'M_NOT_FOUND'],
  ['bob', 'event', undefined, 404, 'M_NOT_FOUND'],
  ['guest', 'event', undefined, 401, 'M_MISSING_TOKEN'],
  ['alice', 'context', '$nothing', 404, 'M_NOT_FOUND'],
  ['bob', 'context', undefined, 403, 'M_FORBIDDEN'],
  ['admin', 'context', undefined, 403, 'M_FORBIDDEN'],
])('%s reads the %s of %s', async (caller, what, eventId, status, errcode) => {
  const existing = await say(homeserver.as('alice'), roomId, 'x');
  const reply = await homeserver.as(caller).get(path('rooms', roomId, what, eventId ?? existing));
  expect(reply).toMatchObject({ status, body: { errcode } });
});

test('an event is only found in its own room', async () => {
  const alice = homeserver.as('alice');
  const eventId = await say(alice, roomId, 'x');
  const other = await makeRoom(alice);
  expect((await alice.get(path('rooms', other, 'event', eventId))).status).toBe(404);
  expect((await alice.get(path('rooms', other, 'context', eventId))).status).toBe(403);
  expect((await redact(alice, other, eventId)).status).toBe(400);
});
