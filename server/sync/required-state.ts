/** What of rooms' state a client of sliding sync asks for: pairs of a type and a state key, or of stand-ins. */
import type { Database } from '../database/schema.ts';
import { listCurrentState } from '../rooms/current-state-store.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { listStatePieces, type StatePiece } from './room-events-store.ts';

export type RequiredState = readonly (readonly [type: string, stateKey: string])[];

const members = 'm.room.member';

/** Whether members are asked for as they are needed. */
export const isLazy = (required: RequiredState): boolean =>
  required.some(([type, key]) => type === members && key === '$LAZY');

/** Says whether a piece of state is asked for. @param userId whom `$ME` stands for */
export function stateTest(
  required: RequiredState,
  userId: string,
): (event: { type: string; state_key?: string | undefined }) => boolean {
  const lazy = isLazy(required);
  const pairs = required.map(([type, key]) => [type, key === '$ME' ? userId : key] as const);
  return ({ type, state_key: key }) =>
    pairs.some(([wantedType, wantedKey]) => {
      // Who asks for members as they are needed doesn't get all of them by asking for everything.
      if (lazy && type === members && (wantedType === '*' || wantedKey === '*')) return false;
      return (wantedType === '*' || wantedType === type) && (wantedKey === '*' || wantedKey === key);
    });
}

/** Rooms, and what of their state is asked for. */
export type Asked = { roomId: string; required: RequiredState };

/** The current state of these rooms that is asked for, without members that are asked for as they are needed. */
export async function readRequiredState(
  db: Database,
  userId: string,
  asked: readonly Asked[],
): Promise<StoredEvent[]> {
  const single: StatePiece[] = [];
  const whole = new Map<string, (event: { type: string; state_key?: string | undefined }) => boolean>();
  const withMembers: string[] = [];
  for (const { roomId, required } of asked) {
    if (required.some(([type, key]) => type === '*' || key === '*')) {
      whole.set(roomId, stateTest(required, userId));
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
  for (const event of [
    ...(await listCurrentState(db, withMembers, { members: true })),
    ...(await listCurrentState(db, without, { members: false })),
  ]) {
    if (whole.get(event.pdu.room_id)?.(event.pdu)) found.set(event.eventId, event);
  }
  return [...found.values()];
}
