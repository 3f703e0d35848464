/** Who has how much power in a room as it is now. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { findMembership } from './membership-store.ts';
import { type PowerLevels, powerLevels } from './power-levels.ts';
import { findState } from './room-state-store.ts';

export type RoomPower = {
  creator: string;
  /** Of `m.room.power_levels`; undefined where the room has none. */
  content: JsonObject | undefined;
  levels: PowerLevels;
};

/** Undefined for an unknown room. */
export async function findPower(db: Database, roomId: string): Promise<RoomPower | undefined> {
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const creator = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu.sender;
  if (creator === undefined) return undefined;
  const content = state.find(({ pdu }) => pdu.type === 'm.room.power_levels')?.pdu.content;
  return { creator, content, levels: powerLevels(content, creator) };
}

/** The member with the most power, if that is at least this much. */
export async function findPowerfulMember(
  db: Database,
  roomId: string,
  { creator, content, levels }: RoomPower,
  needed: number,
): Promise<string | undefined> {
  const named = content ? Object.keys((content.users ?? {}) as JsonObject) : [creator];
  const powerful = named
    .filter((userId) => levels.ofUser(userId) >= needed)
    .toSorted((left, right) => levels.ofUser(right) - levels.ofUser(left));
  for (const userId of powerful) {
    if ((await findMembership(db, roomId, userId))?.membership === 'join') return userId;
  }
  return undefined;
}
