/** What of rooms' state a client of sliding sync asks for: pairs of a type and a state key, or of stand-ins. */
import { forEachYielding, yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import { listStatePieces, type StatePiece } from './room-events-store.ts';

export type RequiredState = readonly (readonly [type: string, stateKey: string])[];

const members = 'm.room.member';

/** Whether members are asked for as they are needed. */
export const isLazy = (required: RequiredState): boolean =>
  required.some(([type, key]) => type === members && key === '$LAZY');

type StateTest = (event: { type: string; state_key?: string | undefined }) => boolean;

/**
 * Says whether a piece of state is asked for. Of many rooms the same is asked for, which is looked through once.
 *
 * @param userId whom `$ME` stands for
 */
export function stateTests(userId: string): (required: RequiredState) => StateTest {
  const made = new Map<RequiredState, StateTest>();
  return (required) => {
    const test = made.get(required) ?? stateTest(required, userId);
    made.set(required, test);
    return test;
  };
}

function stateTest(required: RequiredState, userId: string): StateTest {
  const lazy = isLazy(required);
  const pairs = new Set(required.map(([type, key]) => pairOf(type, key === '$ME' ? userId : key)));
  const byStandIn = (type: string, key: string) =>
    pairs.has(pairOf(type, '*')) || pairs.has(pairOf('*', key)) || pairs.has(pairOf('*', '*'));
  return ({ type, state_key: key = '*' }) =>
    // Who asks for members as they are needed doesn't get all of them by asking for everything.
    lazy && type === members
      ? key !== '*' && pairs.has(pairOf(type, key))
      : pairs.has(pairOf(type, key)) || byStandIn(type, key);
}

const pairOf = (type: string, key: string) => `${type}\0${key}`;

/** Rooms, and what of their state is asked for. */
export type Asked = { roomId: string; required: RequiredState };

/** The current state of these rooms that is asked for, without members that are asked for as they are needed. */
export async function readRequiredState(
  db: Database,
  userId: string,
  asked: readonly Asked[],
): Promise<StoredEvent[]> {
  const single: StatePiece[] = [];
  const whole = new Map<string, StateTest>();
  const testOf = stateTests(userId);
  const withMembers: string[] = [];
  for (const { roomId, required } of asked) {
    await yieldToEventLoop();
    if (required.some(([type, key]) => type === '*' || key === '*')) {
      whole.set(roomId, testOf(required));
      if (!isLazy(required) && required.some(([type]) => type === '*' || type === members)) {
        withMembers.push(roomId);
      }
    }
    for (const [type, key] of required) {
      if (type === '*' || key === '*' || key === '$LAZY') continue;
      single.push({ roomId, type, stateKey: key === '$ME' ? userId : key });
    }
  }
  const found = new Map<string, StoredEvent>();
  for (const event of await listStatePieces(db, single)) found.set(event.eventId, event);
  const inAll = new Set(withMembers);
  const without = [...whole.keys()].filter((roomId) => !inAll.has(roomId));
  const state = [
    ...(await listCurrentState(db, withMembers, { members: true })),
    ...(await listCurrentState(db, without, { members: false })),
  ];
  await forEachYielding(state, (event) => {
    if (whole.get(event.pdu.room_id)?.(event.pdu)) found.set(event.eventId, event);
  });
  return [...found.values()];
}
