import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listState } from '../../../server/conversation/rooms/state/current-state-store.ts';
import { listStateAt } from '../../../server/conversation/rooms/state/room-state-store.ts';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Checks a room's invariants in the database. */
async function expectConsistent(roomId: string): Promise<void> {
  const { db } = homeserver.services;
  const room = await db
    .selectFrom('rooms')
    .selectAll()
    .where('room_id', '=', roomId)
    .executeTakeFirstOrThrow();
  const events = await db
    .selectFrom('events')
    .selectAll()
    .where('room_id', '=', roomId)
    .orderBy('stream_ordering')
    .execute();
  // The events form a single chain from the first one to the head.
  events.forEach((event, index) => {
    expect(event.depth).toBe(index + 1);
    expect(JSON.parse(event.json).prev_events).toEqual(index === 0 ? [] : [events[index - 1]?.event_id]);
  });
  const head = events.at(-1);
  expect(room).toMatchObject({ head_event_id: head?.event_id, head_depth: events.length });

  // The current state has the newest event of each type and state key, and derived data matches it.
  const state = await listState(db, roomId);
  expect(state).toEqual(await listStateAt(db, roomId, head?.stream_ordering ?? 0));
  const members = state.filter(({ pdu }) => pdu.type === 'm.room.member');
  const memberships = await db
    .selectFrom('memberships')
    .select(['user_id', 'membership', 'stream_ordering'])
    .where('room_id', '=', roomId)
    .orderBy('stream_ordering')
    .execute();
  expect(memberships).toEqual(
    members.map(({ pdu, streamOrdering }) => ({
      user_id: pdu.state_key,
      membership: pdu.content.membership,
      stream_ordering: streamOrdering,
    })),
  );
  expect(room.joined_members).toBe(memberships.filter(({ membership }) => membership === 'join').length);
  const name = state.find(({ pdu }) => pdu.type === 'm.room.name');
  expect(room.name).toBe(name && name.redactedBy === null ? name.pdu.content.name : null);
}

const people = ['alice', 'bob', 'carol'] as const;
const person = fc.constantFrom(...people);
const level = fc.constantFrom(-1, 0, 49, 50, 99, 100, 101);
const content = fc.oneof(
  fc.record({ membership: fc.constantFrom('join', 'leave', 'invite', 'ban', 'knock', 'x', 5, null) }),
  fc.record({ name: fc.oneof(fc.string(), fc.integer()) }),
  fc.record({ join_rule: fc.constantFrom('public', 'invite', 'knock', 'restricted', 7) }),
  fc.record({ history_visibility: fc.constantFrom('joined', 'shared', 'world_readable', null) }),
  fc.record({
    users: fc.dictionary(fc.constantFrom('@alice:localhost', '@bob:localhost', 'x'), level),
    kick: fc.oneof(level, fc.string()),
  }),
  fc.dictionary(fc.string(), fc.jsonValue()),
);
const stateType = fc.constantFrom(
  'm.room.member',
  'm.room.name',
  'm.room.join_rules',
  'm.room.history_visibility',
  'm.room.power_levels',
  'm.room.create',
  'org.example',
);
const stateKey = fc.constantFrom('', '@alice:localhost', '@bob:localhost', '@carol:localhost', 'x');

type Action = { who: (typeof people)[number] } & (
  | { do: 'membership'; action: string; whom: (typeof people)[number] }
  | { do: 'state'; type: string; key: string; content: unknown }
  | { do: 'send'; type: string; content: unknown }
  | { do: 'redact' | 'report' | 'context'; which: number; content: unknown }
);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    who: person,
    do: fc.constant('membership' as const),
    action: fc.constantFrom('join', 'leave', 'forget', 'invite', 'kick', 'ban', 'unban'),
    whom: person,
  }),
  fc.record({ who: person, do: fc.constant('state' as const), type: stateType, key: stateKey, content }),
  fc.record({
    who: person,
    do: fc.constant('send' as const),
    type: fc.oneof(fc.constant('m.room.message'), stateType, fc.string({ minLength: 1 })),
    content: fc.oneof(fc.constant({ msgtype: 'm.text', body: 'x' }), content),
  }),
  fc.record({
    who: person,
    do: fc.constantFrom('redact' as const, 'report' as const, 'context' as const),
    which: fc.nat(30),
    content: fc.oneof(fc.constant({}), fc.dictionary(fc.string(), fc.jsonValue())),
  }),
);

let transactions = 0;

test('random requests never fail, and all tables agree', async () => {
  const { db } = homeserver.services;
  const perform = async (roomId: string, step: Action): Promise<number> => {
    const caller = homeserver.as(step.who);
    const at = (...segments: string[]) => path('rooms', roomId, ...segments);
    const txn = `t${transactions++}`;
    if (step.do === 'membership') {
      const body = { user_id: homeserver.as(step.whom).userId };
      return (await caller.post(at(step.action), body)).status;
    }
    if (step.do === 'state') return (await caller.put(at('state', step.type, step.key), step.content)).status;
    if (step.do === 'send') return (await caller.put(at('send', step.type, txn), step.content)).status;
    const events = await db.selectFrom('events').select('event_id').where('room_id', '=', roomId).execute();
    const eventId = events[step.which % events.length]?.event_id ?? '';
    if (step.do === 'redact') return (await caller.put(at('redact', eventId, txn), step.content)).status;
    if (step.do === 'report') return (await caller.post(at('report', eventId), step.content)).status;
    return (await caller.get(at('context', eventId))).status;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (steps) => {
      const roomId = await makeRoom(homeserver.as('alice'), { name: 'N' });
      for (const step of steps) expect(await perform(roomId, step)).toBeLessThan(500);
      await expectConsistent(roomId);
    }),
    { numRuns: isMatrix ? 40 : 12 },
  );
});

test('another process appends to the same room at the same time', async () => {
  const alice = homeserver.as('alice');
  const roomId = await makeRoom(alice);
  await change(homeserver.as('bob'), roomId, 'join');
  const script = fileURLToPath(new URL('append-from-process.ts', import.meta.url));
  const other = fork(script, [JSON.stringify(homeserver.config), roomId, '@bob:localhost', '30'], {
    execArgv: [],
  });
  const ended = once(other, 'exit');
  let sent = 0;
  while (other.exitCode === null || sent < 30) {
    await say(alice, roomId, `here ${sent++}`);
  }
  expect((await ended)[0]).toBe(0);
  await expectConsistent(roomId);
  const { db } = homeserver.services;
  const rows = await db
    .selectFrom('events')
    .select('sender')
    .where('room_id', '=', roomId)
    .where('type', '=', 'm.room.message')
    .execute();
  expect(rows.filter(({ sender }) => sender === '@bob:localhost')).toHaveLength(30);
  expect(rows).toHaveLength(30 + sent);
});
