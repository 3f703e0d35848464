/** Who has how much power in a room as it is now. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { findMembership } from './membership-store.ts';
import { levelsOfRoom, type PowerLevels } from './power-levels.ts';
import { findState } from './room-state-store.ts';
import { creatorsOf } from './room-version.ts';

export type RoomPower = {
  creators: string[];
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
  const create = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu;
  if (!create) return undefined;
  const content = state.find(({ pdu }) => pdu.type === 'm.room.power_levels')?.pdu.content;
  return { creators: creatorsOf(create), content, levels: levelsOfRoom(create, content) };
}

/** The member with the most power, if that is at least this much. */
export async function findPowerfulMember(
  db: Database,
  roomId: string,
  { creators, content, levels }: RoomPower,
  needed: number,
): Promise<string | undefined> {
  const named = [...new Set([...creators, ...Object.keys((content?.users ?? {}) as JsonObject)])];
  const powerful = named
    .filter((userId) => levels.ofUser(userId) >= needed)
    // Two creators are alike.
    .toSorted((left, right) => levels.ofUser(right) - levels.ofUser(left) || 0);
  for (const userId of powerful) {
    if ((await findMembership(db, roomId, userId))?.membership === 'join') return userId;
  }
  return undefined;
}
