/** `required_state` of sliding sync: pairs of an event type and a state key, with wildcards. */
import { forEachYielding } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import { listStateEntries, type StateEntry } from '../sync/room-events-store.ts';

export type RequiredState = readonly (readonly [type: string, stateKey: string])[];

const members = 'm.room.member';

/** Whether members are lazy-loaded. */
export const isLazy = (required: RequiredState): boolean =>
  required.some(([type, key]) => type === members && key === '$LAZY');

type StateTest = (event: { type: string; state_key?: string | undefined }) => boolean;

/**
 * Returns a function that builds a test from required state, once for each list of pairs: many rooms share one.
 *
 * @param userId replaces `$ME`
 */
export function stateTests(userId: string): (required: RequiredState) => StateTest {
  const built = new Map<RequiredState, StateTest>();
  return (required) => {
    const test = built.get(required) ?? stateTest(required, userId);
    built.set(required, test);
    return test;
  };
}

function stateTest(required: RequiredState, userId: string): StateTest {
  const lazy = isLazy(required);
  const pairs = new Set(required.map(([type, key]) => pairOf(type, key === '$ME' ? userId : key)));
  const byWildcard = (type: string, key: string) =>
    pairs.has(pairOf(type, '*')) || pairs.has(pairOf('*', key)) || pairs.has(pairOf('*', '*'));
  return ({ type, state_key: key = '*' }) =>
    // With lazy loading, wildcards don't include members.
    lazy && type === members
      ? key !== '*' && pairs.has(pairOf(type, key))
      : pairs.has(pairOf(type, key)) || byWildcard(type, key);
}

const pairOf = (type: string, key: string) => `${type}\0${key}`;

type RoomRequest = { roomId: string; required: RequiredState };

/** Reads the current required state of these rooms, without lazy-loaded members. */
export async function readRequiredState(
  db: Database,
  userId: string,
  requests: readonly RoomRequest[],
): Promise<StoredEvent[]> {
  const single: StateEntry[] = [];
  const whole = new Map<string, StateTest>();
  const testOf = stateTests(userId);
  const withMembers: string[] = [];
  for (const { roomId, required } of requests) {
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
  for (const event of await listStateEntries(db, single)) found.set(event.eventId, event);
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
