/** How much state rooms have. */
import { sql } from 'kysely';
import { chunks } from '../../platform/concurrency/yield.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';

const roomsAtOnce = 500;

/** How many pieces of state each room has, with its members or without. */
export async function stateSizes(
  db: Database,
  roomIds: readonly string[],
  { members }: { members: boolean },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const chunk of chunks(roomIds, roomsAtOnce)) {
    const { rows } = await selectCounts(db, { rooms: JSON.stringify(chunk) });
    for (const { room_id, state_events, joined_members } of rows) {
      counts.set(room_id, members ? state_events : state_events - joined_members);
    }
  }
  return counts;
}

const selectCounts = builtOnce((db, { rooms }: { rooms: string }) =>
  db
    .selectFrom('rooms')
    .select(['room_id', 'state_events', 'joined_members'])
    .where('room_id', 'in', sql<string>`${textsOf(db, rooms)}`),
);
