import type { Database } from '../database/schema.ts';

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
