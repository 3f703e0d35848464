import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

export type NewRoomReport = { receivedTs: number; roomId: string; userId: string; reason: string };

/** Files a report about a whole room. */
export async function insertRoomReport(db: Database, report: NewRoomReport): Promise<void> {
  await db
    .insertInto('room_reports')
    .values({
      received_ts: report.receivedTs,
      room_id: report.roomId,
      user_id: report.userId,
      reason: report.reason,
    })
    .execute();
}

/** How many reports one piece of a purge is. */
const purgedAtOnce = 500;

/** Deletes some reports on the room itself; false where that left none. */
export async function purgeRoomReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = tx
    .selectFrom('room_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(purgedAtOnce);
  const result = await tx.deleteFrom('room_reports').where('id', 'in', reports).executeTakeFirst();
  return result.numDeletedRows >= purgedAtOnce;
}
