/** Reports of rooms. */
import { maximumRoomReportsPerPage, type RoomReportListQuery } from '../../../shared/api/reports.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

type NewRoomReport = { receivedTs: number; roomId: string; userId: string; reason: string };

export type RoomReport = NewRoomReport & { id: number };

const columns = [
  'id',
  'received_ts as receivedTs',
  'room_id as roomId',
  'user_id as userId',
  'reason',
] as const;

/** Files a report of a room. */
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

/** Returns one page of reports and the number of all that match. */
export async function listRoomReports(
  db: Database,
  { user_id: userId, room_id: roomId, from, limit, dir }: RoomReportListQuery,
): Promise<{ reports: RoomReport[]; total: number }> {
  let matching = db.selectFrom('room_reports');
  if (userId) matching = matching.where('user_id', '=', userId);
  if (roomId) matching = matching.where('room_id', '=', roomId);
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const reports = await matching
    .select(columns)
    .orderBy('id', dir === 'b' ? 'desc' : 'asc')
    .limit(Math.min(limit, maximumRoomReportsPerPage))
    .offset(from)
    .execute();
  return { reports, total: Number(total) };
}

export const findRoomReport = (db: Database, id: number): Promise<RoomReport | undefined> =>
  db.selectFrom('room_reports').select(columns).where('id', '=', id).executeTakeFirst();

/** Deletes a report. Returns false if it doesn't exist. */
export async function deleteRoomReport(db: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('room_reports').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Number of a room's reports that a purge deletes at once. */
const purgedAtOnce = 500;

/** Deletes some of a room's reports. Returns false if none are left. */
export async function purgeRoomReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = tx
    .selectFrom('room_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(purgedAtOnce);
  const result = await tx.deleteFrom('room_reports').where('id', 'in', reports).executeTakeFirst();
  return result.numDeletedRows >= purgedAtOnce;
}
