import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { findMembership } from '../rooms/membership-store.ts';
import { powerLevels } from '../rooms/power-levels.ts';
import { findState } from '../rooms/room-state-store.ts';

/** The most powerful member of a room, if that is enough to redact what others sent. */
export async function findRedactor(db: Database, roomId: string): Promise<string | undefined> {
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const creator = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu.sender;
  if (creator === undefined) return undefined;
  const content = state.find(({ pdu }) => pdu.type === 'm.room.power_levels')?.pdu.content;
  const levels = powerLevels(content, creator);
  const needed = Math.max(levels.to('redact'), levels.toSend('m.room.redaction', false));
  const named = content ? Object.keys((content.users ?? {}) as JsonObject) : [creator];
  const powerful = named
    .filter((userId) => levels.ofUser(userId) >= needed)
    .toSorted((left, right) => levels.ofUser(right) - levels.ofUser(left));
  for (const userId of powerful) {
    if ((await findMembership(db, roomId, userId))?.membership === 'join') return userId;
  }
  return undefined;
}
