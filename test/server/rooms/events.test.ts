import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentHash, referenceEventId } from '../../../server/rooms/event.ts';
import { verifyJson } from '../../../server/rooms/signing-key.ts';
import { redactEvent } from '../../../shared/redaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, redact, say, sendMessage, setState } from './client.ts';

let homeserver: TestHomeserver;
let roomId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());
beforeEach(async () => {
  roomId = await makeRoom(homeserver.as('alice'));
});

const message = { msgtype: 'm.text', body: 'x' };
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each<[string, string, string, unknown, number, string]>([
  ['nobody', 'guest', 'm.room.message', message, 401, 'M_MISSING_TOKEN'],
  ['a stranger', 'bob', 'm.room.message', message, 403, 'M_FORBIDDEN'],
  ['nothing', 'alice', 'm.room.message', undefined, 400, 'M_NOT_JSON'],
  ['text', 'alice', 'm.room.message', 'x', 400, 'M_NOT_JSON'],
  ['a list', 'alice', 'm.room.message', [], 400, 'M_BAD_JSON'],
  ['null', 'alice', 'm.room.message', 'null', 400, 'M_NOT_JSON'],
  ['a message without text', 'alice', 'm.room.message', { msgtype: 'm.text' }, 400, 'M_UNKNOWN'],
  ['a message whose text is none', 'alice', 'm.room.message', { ...message, body: 5 }, 400, 'M_UNKNOWN'],
  ['a float', 'alice', 'a', { a: 1.5 }, 400, 'M_BAD_JSON'],
  ['a float deep inside', 'alice', 'a', { a: [{ b: 1e-9 }] }, 400, 'M_BAD_JSON'],
  ['an integer out of range', 'alice', 'a', { a: 2 ** 53 }, 400, 'M_BAD_JSON'],
  ['an infinite number', 'alice', 'a', '{"a":1e400}', 400, 'M_BAD_JSON'],
  ['minus zero', 'alice', 'a', '{"a":-0}', 400, 'M_BAD_JSON'],
  ['half a character', 'alice', 'a', '{"a":"\\ud800"}', 400, 'M_BAD_JSON'],
  ['deep nesting', 'alice', 'a', nested(5000), 400, 'M_BAD_JSON'],
  ['a long type', 'alice', 'a'.repeat(256), {}, 413, 'M_TOO_LARGE'],
  ['a type of many bytes', 'alice', 'é'.repeat(128), {}, 413, 'M_TOO_LARGE'],
  ['too much', 'alice', 'a', { body: 'x'.repeat(65_536) }, 413, 'M_TOO_LARGE'],
  ['state as a message', 'alice', 'm.room.name', { name: 'x' }, 400, 'M_UNKNOWN'],
  ['a membership as a message', 'alice', 'm.room.member', { membership: 'join' }, 400, 'M_UNKNOWN'],
  ['a creation as a message', 'alice', 'm.room.create', {}, 400, 'M_UNKNOWN'],
  ['a redaction of nothing', 'alice', 'm.room.redaction', {}, 400, 'M_UNKNOWN'],
])('refuses %s', async (_, caller, type, content, status, errcode) => {
  const reply = await homeserver.as(caller).put(path('rooms', roomId, 'send', type, 't'), content);
  expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
});

test.each([
  ['a type of white space', ' ', {}],
  ['keys with line breaks', 'a', { 'a\nb': 1, '': { '\u2028': [] } }],
  ['names that objects have', 'a', JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')],
  ['a null character', 'a', { a: '\0' }],
  ['large and small integers', 'a', { a: 2 ** 53 - 1, b: -(2 ** 53) + 1, c: 0 }],
  ['what is not markup', 'a', { body: '<img src=x onerror=alert(1)>' }],
])('keeps %s as sent', async (_, type, content) => {
  const alice = homeserver.as('alice');
  const sent = await alice.put(path('rooms', roomId, 'send', type, 't'), content);
  expect(sent.status).toBe(200);
  const read = await alice.get(path('rooms', roomId, 'event', sent.body.event_id));
  expect(read.body.content).toEqual(content);
  expect(Object.keys(read.body.content).sort()).toEqual(Object.keys(content).sort());
});

test('the same transaction again is the same event', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  await change(bob, roomId, 'join');
  const send = (who: typeof alice, room: string, type: string, body: string) =>
    who.put(path('rooms', room, 'send', type, 'once'), { ...message, body });
  const first = await send(alice, roomId, 'm.room.message', 'first');
  const { status, body } = first;
  expect(await send(alice, roomId, 'm.room.message', 'again')).toMatchObject({ status, body });
  expect(await send(alice, roomId, 'another.type', 'again')).toMatchObject({ status, body });
  const others = [
    await send(bob, roomId, 'm.room.message', 'another sender'),
    await send(alice, await makeRoom(alice), 'm.room.message', 'another room'),
  ];
  expect(new Set([first, ...others].map(({ body }) => body.event_id)).size).toBe(3);
  expect(gist(await messages(alice, roomId)).slice(-2)).toEqual(['first', 'another sender']);

  const event = (who: typeof alice) => who.get(path('rooms', roomId, 'event', first.body.event_id));
  expect((await event(alice)).body.unsigned.transaction_id).toBe('once');
  expect((await event(bob)).body.unsigned).not.toHaveProperty('transaction_id');
});

test('events that are sent at once stand in one line, hashed and signed', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  await change(bob, roomId, 'join');
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => sendMessage(index % 2 ? alice : bob, roomId, `m${index}`)),
  );
  expect(replies.every(({ status }) => status === 200)).toBe(true);

  const { db, signingKey } = homeserver.services;
  const rows = await db
    .selectFrom('events')
    .select(['event_id', 'json', 'depth'])
    .where('room_id', '=', roomId)
    .orderBy('stream_ordering')
    .execute();
  expect(rows.length).toBeGreaterThan(45);
  rows.forEach(({ event_id, json, depth }, index) => {
    const event = JSON.parse(json);
    expect(depth).toBe(index + 1);
    expect(event.prev_events).toEqual(index === 0 ? [] : [rows[index - 1]?.event_id]);
    expect(event.prev_state).toEqual([]);
    expect(event.hashes.sha256).toBe(contentHash(event));
    expect(event_id).toBe(referenceEventId(event, '11'));
    expect(event_id).toMatch(/^\$[A-Za-z0-9_-]{43}$/);
    const redacted = redactEvent(event, '11');
    expect(verifyJson(redacted, 'localhost', signingKey.keyId, signingKey.publicKey)).toBe(true);
  });
});

test('an event names the state that allowed it', async () => {
  const alice = homeserver.as('alice');
  const eventId = await say(alice, roomId, 'x');
  const { json } = await homeserver.services.db
    .selectFrom('events')
    .select('json')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
  const { auth_events } = JSON.parse(json);
  const { body: state } = await alice.get(path('rooms', roomId, 'state'));
  const types = state
    .filter((event: { event_id: string }) => auth_events.includes(event.event_id))
    .map((event: { type: string }) => event.type);
  expect(types.sort()).toEqual(['m.room.create', 'm.room.member', 'm.room.power_levels']);
});

describe('paging', () => {
  const types = [
    'm.room.create',
    'm.room.member',
    'm.room.power_levels',
    'm.room.join_rules',
    'm.room.history_visibility',
  ];

  test('goes through everything, both ways, and back over the same places', async () => {
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

  test('an event with what is around it', async () => {
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

test('an event is found in its own room only', async () => {
  const alice = homeserver.as('alice');
  const eventId = await say(alice, roomId, 'x');
  const other = await makeRoom(alice);
  expect((await alice.get(path('rooms', other, 'event', eventId))).status).toBe(404);
  expect((await alice.get(path('rooms', other, 'context', eventId))).status).toBe(403);
  expect((await redact(alice, other, eventId)).status).toBe(400);
});

describe('state', () => {
  test('is set and read with and without a key', async () => {
    const alice = homeserver.as('alice');
    const base = path('rooms', roomId, 'state', 'org.example');
    expect((await alice.put(base, { a: 1 })).status).toBe(200);
    expect((await alice.put(`${base}/`, { a: 2 })).status).toBe(200);
    expect((await alice.put(`${base}/k%2Fk`, { a: 3 })).status).toBe(200);
    expect((await alice.get(base)).body).toEqual({ a: 2 });
    expect((await alice.get(`${base}/`)).body).toEqual({ a: 2 });
    expect((await alice.get(`${base}/k%2Fk`)).body).toEqual({ a: 3 });
    expect((await alice.get(`${base}/none`)).status).toBe(404);
    const event = await alice.get(`${base}?format=event`);
    expect(event.body).toMatchObject({
      type: 'org.example',
      state_key: '',
      content: { a: 2 },
      unsigned: { prev_content: { a: 1 }, prev_sender: alice.userId },
    });
    expect((await alice.get(`${base}?format=x`)).body.errcode).toBe('M_INVALID_PARAM');
  });

  test('that is set already makes no event', async () => {
    const alice = homeserver.as('alice');
    const first = await setState(alice, roomId, 'a', { b: 1, c: [2] });
    expect(await setState(alice, roomId, 'a', { c: [2], b: 1 })).toBe(first);
    expect(await setState(alice, roomId, 'a', { c: [2], b: 2 })).not.toBe(first);
  });

  test.each<[string, string, string, unknown, number, string]>([
    ['bob', 'm.room.name', '', { name: 'x' }, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.create', '', {}, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.name', '', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.topic', '', { topic: null }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.tombstone', '', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', '@alice:localhost', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', '@alice:localhost', { membership: 'x' }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', 'alice', { membership: 'invite' }, 400, 'M_INVALID_PARAM'],
    ['alice', 'm.room.member', '@bob:localhost', { membership: 'join' }, 403, 'M_FORBIDDEN'],
    ['alice', 'a', '@bob:localhost', {}, 403, 'M_FORBIDDEN'],
    ['alice', 'a', 'k'.repeat(256), {}, 413, 'M_TOO_LARGE'],
    ['alice', 'm.room.power_levels', '', { users: { '@alice:localhost': '100' } }, 400, 'M_BAD_JSON'],
    ['alice', 'm.room.power_levels', '', { users: { '@alice:localhost': 101 } }, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.power_levels', '', { users: { alice: 1 } }, 400, 'M_BAD_JSON'],
    ['alice', 'm.room.canonical_alias', '', { alias: '#nowhere:localhost' }, 400, 'M_BAD_ALIAS'],
    ['alice', 'm.room.canonical_alias', '', { alias: 'x' }, 400, 'M_INVALID_PARAM'],
    ['alice', 'm.room.canonical_alias', '', { alt_aliases: [5] }, 400, 'M_INVALID_PARAM'],
  ])('%s may not set %s of "%s" to %j', async (caller, type, key, content, status, errcode) => {
    const reply = await homeserver.as(caller).put(path('rooms', roomId, 'state', type, key), content);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test('its name, topic and alias are known of the room', async () => {
    const alice = homeserver.as('alice');
    const named = await makeRoom(alice, { name: 'N', topic: 'T', room_alias_name: 'summary' });
    const summary = () =>
      homeserver.services.db
        .selectFrom('rooms')
        .select(['name', 'topic', 'canonical_alias', 'join_rule', 'history_visibility'])
        .where('room_id', '=', named)
        .executeTakeFirstOrThrow();
    const rest = { topic: 'T', join_rule: 'public', history_visibility: 'shared' };
    expect(await summary()).toEqual({ ...rest, name: 'N', canonical_alias: '#summary:localhost' });
    const renamed = await setState(alice, named, 'm.room.name', { name: 'M' });
    await setState(alice, named, 'm.room.canonical_alias', {});
    expect(await summary()).toEqual({ ...rest, name: 'M', canonical_alias: null });
    await redact(alice, named, renamed);
    expect(await summary()).toEqual({ ...rest, name: null, canonical_alias: null });
  });

  test('that was redacted can be set again', async () => {
    const alice = homeserver.as('alice');
    const first = await setState(alice, roomId, 'm.room.name', { name: 'N' });
    await redact(alice, roomId, first);
    expect((await alice.get(path('rooms', roomId, 'state', 'm.room.name'))).body).toEqual({});
    expect(await setState(alice, roomId, 'm.room.name', { name: 'N' })).not.toBe(first);
    expect((await alice.get(path('rooms', roomId, 'state', 'm.room.name'))).body).toEqual({ name: 'N' });
  });
});

describe('redacting', () => {
  test.each([
    ['a moderator', 'alice', 'bob', 200],
    ['the sender', 'bob', 'bob', 200],
    ['a member', 'bob', 'alice', 403],
    ['a stranger', 'carol', 'alice', 403],
  ])('by %s', async (_, who, sender, status) => {
    await change(homeserver.as('bob'), roomId, 'join');
    const eventId = await say(homeserver.as(sender), roomId, 'rude');
    expect((await redact(homeserver.as(who), roomId, eventId)).status).toBe(status);
    const { body } = await homeserver.as('alice').get(path('rooms', roomId, 'event', eventId));
    expect(body.content).toEqual(status === 200 ? {} : { msgtype: 'm.text', body: 'rude' });
  });

  test('shows why, and the first time counts', async () => {
    const alice = homeserver.as('alice');
    const eventId = await say(alice, roomId, 'rude');
    const first = await redact(alice, roomId, eventId, { reason: 'spam' });
    await redact(alice, roomId, eventId, { reason: 'again' });
    const { body } = await alice.get(path('rooms', roomId, 'event', eventId));
    expect(body).toMatchObject({
      content: {},
      unsigned: {
        redacted_because: {
          event_id: first.body.event_id,
          sender: alice.userId,
          type: 'm.room.redaction',
          content: { reason: 'spam', redacts: eventId },
          redacts: eventId,
        },
      },
    });
    expect(gist(await messages(alice, roomId, 'dir=b&limit=3'))).toEqual([
      'm.room.redaction',
      'm.room.redaction',
      'm.room.message',
    ]);
    const { json } = await homeserver.services.db
      .selectFrom('events')
      .select('json')
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(json).content.body).toBe('rude');
  });

  test('what nobody knows is for moderators only', async () => {
    await change(homeserver.as('bob'), roomId, 'join');
    expect((await redact(homeserver.as('alice'), roomId, '$nothing')).status).toBe(200);
    expect(await redact(homeserver.as('bob'), roomId, '$nothing')).toMatchObject({
      status: 404,
      body: { errcode: 'M_NOT_FOUND' },
    });
  });

  test.each([
    ['what nobody knows', '$nothing', {}, 200, undefined],
    ['the creation', 'm.room.create', {}, 403, 'M_FORBIDDEN'],
    ['something else than the body says', '$nothing', { redacts: '$other' }, 400, 'M_INVALID_PARAM'],
    ['with a list', '$nothing', [], 400, 'M_BAD_JSON'],
    ['without a body', '$nothing', undefined, 400, 'M_NOT_JSON'],
  ])('%s', async (_, target, body, status, errcode) => {
    const alice = homeserver.as('alice');
    const { body: state } = await alice.get(path('rooms', roomId, 'state'));
    const event = state.find((each: { type: string }) => each.type === target);
    const reply = await alice.put(path('rooms', roomId, 'redact', event?.event_id ?? target, 'r'), body);
    expect(reply.status).toBe(status);
    expect(reply.body.errcode).toBe(errcode);
  });
});
