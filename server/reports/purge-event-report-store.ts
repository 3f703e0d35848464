/** What is kept of the reports on a room's events, deleted a piece at a time. */
import type { Tx } from '../database/transaction.ts';
import { deleteReports } from './event-report-store.ts';

/** How many reports one piece is: some milliseconds of work, because each is counted in several totals. */
const reportsAtOnce = 50;

/** Deletes some reports on a room's events; false where that left none. */
export async function purgeEventReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = await tx
    .selectFrom('event_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(reportsAtOnce)
    .execute();
  const ids = reports.map(({ id }) => id);
  await deleteReports(tx, ids);
  return reports.length === reportsAtOnce;
}

/** How many totals or places one piece is. */
const rowsAtOnce = 500;

/**
 * Deletes some of the totals of a room without reports, and of the places in its lists: they say who has reported whom
 * there. False where that left none.
 */
export async function purgeReportTotals(tx: Tx, roomId: string): Promise<boolean> {
  const totals = tx
    .selectFrom('event_report_totals')
    .select(['user_id', 'sender', 'part'])
    .where('room_id', '=', roomId)
    .limit(rowsAtOnce)
    .$asTuple('user_id', 'sender', 'part');
  const { numDeletedRows: deletedTotals } = await tx
    .deleteFrom('event_report_totals')
    .where('room_id', '=', roomId)
    .where(({ eb, refTuple }) => eb(refTuple('user_id', 'sender', 'part'), 'in', totals))
    .executeTakeFirst();
  const places = tx
    .selectFrom('event_report_places')
    .select(['user_id', 'sender', 'received_ts', 'id'])
    .where('room_id', '=', roomId)
    .limit(rowsAtOnce)
    .$asTuple('user_id', 'sender', 'received_ts', 'id');
  const { numDeletedRows: deletedPlaces } = await tx
    .deleteFrom('event_report_places')
    .where('room_id', '=', roomId)
    .where(({ eb, refTuple }) => eb(refTuple('user_id', 'sender', 'received_ts', 'id'), 'in', places))
    .executeTakeFirst();
  return deletedTotals >= rowsAtOnce || deletedPlaces >= rowsAtOnce;
}
