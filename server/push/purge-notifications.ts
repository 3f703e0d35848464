/** What is kept of a room's notifications, to go with it, a bounded piece at a time. */
import type { Tx } from '../database/transaction.ts';

/** How many rows one piece is: some milliseconds of work. */
const pieceSize = 500;

/** False where nothing was left. While it is known who was in the room. */
export async function purgeNotifications(tx: Tx, roomId: string): Promise<boolean> {
  const everyones = tx
    .selectFrom('notifying_events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  const shared = await tx
    .deleteFrom('notifying_events')
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', everyones)
    .executeTakeFirst();
  if (shared.numDeletedRows > 0n) return true;
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('own_notifications as own', (join) =>
      join.onRef('own.user_id', '=', 'memberships.user_id').onRef('own.room_id', '=', 'memberships.room_id'),
    )
    .select('own.user_id')
    .where('memberships.room_id', '=', roomId)
    .limit(1)
    .executeTakeFirst();
  if (!row) return false;
  const places = tx
    .selectFrom('own_notifications')
    .select('stream_ordering')
    .where('user_id', '=', row.user_id)
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  await tx
    .deleteFrom('own_notifications')
    .where('user_id', '=', row.user_id)
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', places)
    .execute();
  return true;
}
