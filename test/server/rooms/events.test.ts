import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentHash, referenceEventId } from '../../../server/conversation/rooms/events/event.ts';
import { verifyJson } from '../../../server/conversation/rooms/signing-key.ts';
import { redactEvent } from '../../../shared/redaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, redact, say, sendMessage } from './client.ts';

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
  ['a message with an invalid text', 'alice', 'm.room.message', { ...message, body: 5 }, 400, 'M_UNKNOWN'],
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
  ['a redaction of an unknown event', 'alice', 'm.room.redaction', {}, 400, 'M_UNKNOWN'],
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
  ["text that isn't markup", 'a', { body: '<img src=x onerror=alert(1)>' }],
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
  const others = [
    await send(bob, roomId, 'm.room.message', 'another sender'),
    await send(alice, await makeRoom(alice), 'm.room.message', 'another room'),
    await send(alice, roomId, 'another.type', 'another type'),
  ];
  expect(new Set([first, ...others].map(({ body }) => body.event_id)).size).toBe(4);
  expect(gist(await messages(alice, roomId)).slice(-3)).toEqual(['first', 'another sender', 'another type']);

  const event = (who: typeof alice) => who.get(path('rooms', roomId, 'event', first.body.event_id));
  expect((await event(alice)).body.unsigned.transaction_id).toBe('once');
  expect((await event(bob)).body.unsigned).not.toHaveProperty('transaction_id');
});

test('concurrent events form one chain, hashed and signed', async () => {
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

test('an event has its auth events', async () => {
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

  test('shows the reason, and the first time counts', async () => {
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

  test('an unknown event is for moderators only', async () => {
    await change(homeserver.as('bob'), roomId, 'join');
    expect((await redact(homeserver.as('alice'), roomId, '$nothing')).status).toBe(200);
    expect(await redact(homeserver.as('bob'), roomId, '$nothing')).toMatchObject({
      status: 404,
      body: { errcode: 'M_NOT_FOUND' },
    });
  });

  test.each([
    ['an unknown event', '$nothing', {}, 200, undefined],
    ['the creation', 'm.room.create', {}, 403, 'M_FORBIDDEN'],
    ['another event than in the body', '$nothing', { redacts: '$other' }, 400, 'M_INVALID_PARAM'],
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
