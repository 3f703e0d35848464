/** Reports of events. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { maximumReportsPerPage } from '../../../shared/api/reports.ts';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import {
  addReportToTotals,
  addToTotals,
  createPages,
  type Page,
  receivedAt,
  removeFromTotals,
} from './report-list-store.ts';

export type NewReport = {
  receivedTs: number;
  roomId: string;
  eventId: string;
  /** The reporter. */
  userId: string;
  /** The sender of the event. */
  sender: string;
  reason: string | null;
  score: number | null;
};

/** A report with its room's name and alias, which are null if the room has none or was deleted. */
export type EventReport = NewReport & { id: number; roomName: string | null; canonicalAlias: string | null };

/** The columns that the totals are counted by. */
const countedColumns = ['room_id', 'user_id', 'sender', 'part'] as const;

/** Files a report and returns its ID. */
export async function insertReport(tx: Tx, report: NewReport): Promise<number> {
  const { rows } = await insertRow(tx, report);
  const [{ id, ...counted }] = rows as [(typeof rows)[number]];
  await addReportToTotals(tx, 'event_reports', counted);
  return id;
}

const insertRow = builtOnce((db, report: NewReport) =>
  db
    .insertInto('event_reports')
    .values({ ...asRow(report), received_ts: receivedAt('event_reports', report.receivedTs) })
    .returning(['id', ...countedColumns]),
);

/** Files many reports, each at its own time. */
export async function insertReports(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  for (const chunk of chunks(reports, reportsPerStatement)) {
    const counted = await tx
      .insertInto('event_reports')
      .values(chunk.map(asRow))
      .returning(countedColumns)
      .execute();
    await addToTotals(tx, 'event_reports', counted);
  }
}

/** Keeps a statement below the number of parameters that each engine allows. */
const reportsPerStatement = 500;

const asRow = (report: NewReport) => ({
  received_ts: report.receivedTs,
  room_id: report.roomId,
  event_id: report.eventId,
  user_id: report.userId,
  sender: report.sender,
  reason: report.reason,
  score: report.score,
});

/** Each given filter narrows the list. */
export type ReportFilter = {
  roomId?: string | undefined;
  userId?: string | undefined;
  sender?: string | undefined;
};

const readPage = createPages<EventReport>('event_reports', (db, ids, order) =>
  selectReports(db)
    .where('event_reports.id', 'in', ids)
    .orderBy('event_reports.received_ts', order)
    .orderBy('event_reports.id', order),
);

/** Returns one page of reports and the number of all that match. */
export const listReports = (
  db: Database,
  { roomId, userId, sender }: ReportFilter,
  { from, limit, dir }: Page,
): Promise<{ reports: EventReport[]; total: number }> =>
  readPage(
    db,
    { room_id: roomId, user_id: userId, sender },
    { from, limit: Math.min(limit, maximumReportsPerPage), dir },
  );

/** Returns a report with its event, which is empty if the event was purged. */
export async function findReport(
  db: Database,
  id: number,
): Promise<(EventReport & { event: JsonObject }) | undefined> {
  const row = await selectReports(db)
    .leftJoin('events', 'events.event_id', 'event_reports.event_id')
    .select('events.json')
    .where('event_reports.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { json, ...report } = row;
  return { ...report, event: readJson(json ?? '{}') as JsonObject };
}

const selectReports = (db: Database) =>
  db
    .selectFrom('event_reports')
    .leftJoin('rooms', 'rooms.room_id', 'event_reports.room_id')
    .select([
      'event_reports.id',
      'event_reports.received_ts as receivedTs',
      'event_reports.room_id as roomId',
      'rooms.name as roomName',
      'event_reports.event_id as eventId',
      'event_reports.user_id as userId',
      'event_reports.reason',
      'event_reports.score',
      'event_reports.sender',
      'rooms.canonical_alias as canonicalAlias',
    ]);

/** Deletes a report. Returns false if it doesn't exist. */
export const deleteReport = (db: Database, id: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const report = tx.deleteFrom('event_reports').where('id', '=', id);
    const deleted = await report.returning(countedColumns).execute();
    await removeFromTotals(tx, 'event_reports', deleted);
    return deleted.length > 0;
  });

/** Number of a room's reports that a purge deletes at once. */
const purgedAtOnce = 50;

/** Deletes some of the reports of a room's events. Returns false if none are left. */
export async function purgeEventReports(tx: Tx, roomId: string): Promise<boolean> {
  const some = tx.selectFrom('event_reports').select('id').where('room_id', '=', roomId).limit(purgedAtOnce);
  const deleted = await tx
    .deleteFrom('event_reports')
    .where('id', 'in', some)
    .returning(countedColumns)
    .execute();
  await removeFromTotals(tx, 'event_reports', deleted);
  return deleted.length === purgedAtOnce;
}
