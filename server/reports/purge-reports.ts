/** What a room's purge takes of the reports, a bounded piece at a time. */
import type { Tx } from '../database/transaction.ts';
import { deleteReport } from './event-report-store.ts';

/** How many reports one piece is: some milliseconds of work, because each is counted in several totals. */
const eventReportsAtOnce = 50;
const roomReportsAtOnce = 500;

/** Deletes some reports on a room's events; false where none was left. */
export async function purgeEventReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = await tx
    .selectFrom('event_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(eventReportsAtOnce)
    .execute();
  for (const { id } of reports) await deleteReport(tx, id);
  return reports.length > 0;
}

/** Deletes some reports on the room itself; false where none was left. */
export async function purgeRoomReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = tx
    .selectFrom('room_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(roomReportsAtOnce);
  const result = await tx.deleteFrom('room_reports').where('id', 'in', reports).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
