/** Reported events. Interface: "Event report", "GET …/event_reports". */
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import {
  type EventReportDetail,
  type EventReportItem,
  type EventReportListQuery,
  type EventReportPage,
  maximumReportsPerPage,
} from '../../shared/api/event-reports.ts';
import type { Database, Schema } from '../database/schema.ts';

export type NewReport = {
  receivedTs: number;
  roomId: string;
  eventId: string;
  /** Who files it. */
  userId: string;
  /** Who sent the event. */
  sender: string;
  reason: string | null;
  score: number | null;
};

/** Files a report and gives its identifier. Its totals change with it: call it in a transaction. */
export async function insertReport(db: Database, report: NewReport): Promise<number> {
  const { id } = await db
    .insertInto('event_reports')
    .values(asRow(report))
    .returning('id')
    .executeTakeFirstOrThrow();
  await addToTotals(db, [report]);
  return id;
}

/** Files many reports at once, in the order of their times. Call it in a transaction. */
export async function insertReports(db: Database, reports: readonly NewReport[]): Promise<void> {
  for (let start = 0; start < reports.length; start += rowsAtOnce) {
    const rows = reports.slice(start, start + rowsAtOnce).map(asRow);
    await db.insertInto('event_reports').values(rows).execute();
  }
  await addToTotals(db, reports);
}

/** Keeps a statement below the number of parameters that every engine takes. */
const rowsAtOnce = 500;

const asRow = (report: NewReport) => ({
  received_ts: report.receivedTs,
  room_id: report.roomId,
  event_id: report.eventId,
  user_id: report.userId,
  sender: report.sender,
  reason: report.reason,
  score: report.score,
});

async function addToTotals(db: Database, reports: readonly NewReport[]): Promise<void> {
  const counts = new Map<string, Filter & { total: number }>();
  for (const report of reports) {
    for (const combination of combinations(report)) {
      const key = JSON.stringify(combination);
      const count = counts.get(key);
      if (count) count.total++;
      else counts.set(key, { ...combination, total: 1 });
    }
  }
  const rows = [...counts.values()];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await db
      .insertInto('event_report_totals')
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['room_id', 'user_id', 'sender']).doUpdateSet({
          total: sql<number>`event_report_totals.total + excluded.total`,
        }),
      )
      .execute();
  }
}

/** Deletes a report for good; false where there is none. Call it in a transaction. */
export async function deleteReport(db: Database, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('event_reports')
    .where('id', '=', id)
    .returning(['room_id', 'user_id', 'sender'])
    .executeTakeFirst();
  if (!row) return false;
  const report = { roomId: row.room_id, userId: row.user_id, sender: row.sender };
  for (const combination of combinations(report)) {
    await db
      .updateTable('event_report_totals')
      .set({ total: sql<number>`total - 1` })
      .where(matches(combination))
      .execute();
  }
  return true;
}

/** Every combination of filters that a report is counted under; an empty string stands for "any". */
function combinations({ roomId, userId, sender }: Pick<NewReport, 'roomId' | 'userId' | 'sender'>) {
  return ['', roomId].flatMap((room_id) =>
    ['', userId].flatMap((user_id) => ['', sender].map((of) => ({ room_id, user_id, sender: of }))),
  );
}

type Filter = { room_id: string; user_id: string; sender: string };

const matches =
  (filter: Filter) =>
  ({ and }: ExpressionBuilder<Schema, 'event_report_totals'>) =>
    and(filter);

/** One page of reports and how many there are in all. */
export async function listReports(db: Database, query: EventReportListQuery): Promise<EventReportPage> {
  const filter = {
    room_id: query.room_id ?? '',
    user_id: query.user_id ?? '',
    sender: query.event_sender_user_id ?? '',
  };
  const total = await countReports(db, filter);
  const limit = Math.min(query.limit, maximumReportsPerPage, Math.max(0, total - query.from));
  const event_reports = limit === 0 ? [] : await readPage(db, filter, { ...query, limit, total });
  const next = query.from + event_reports.length;
  return { event_reports, total, ...(next < total ? { next_token: next } : {}) };
}

async function countReports(db: Database, filter: Filter): Promise<number> {
  const row = await db
    .selectFrom('event_report_totals')
    .select('total')
    .where(matches(filter))
    .executeTakeFirst();
  return row?.total ?? 0;
}

type Page = { from: number; limit: number; dir: 'b' | 'f'; total: number };

/**
 * The reports of a page. Skipping rows costs time for each, so a page in the far half is read from the
 * other end; and only identifiers are skipped, from an index, before anything else is looked up.
 */
async function readPage(db: Database, filter: Filter, page: Page): Promise<EventReportItem[]> {
  const behind = page.total - page.from - page.limit;
  const fromFarEnd = behind < page.from;
  const wanted = page.dir === 'b' ? 'desc' : 'asc';
  const opposite = wanted === 'desc' ? 'asc' : 'desc';

  let ids = db.selectFrom('event_reports').select('event_reports.id');
  for (const column of ['room_id', 'user_id', 'sender'] as const) {
    if (filter[column] !== '') ids = ids.where(column, '=', filter[column]);
  }
  const direction = fromFarEnd ? opposite : wanted;
  ids = ids
    .orderBy('received_ts', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(fromFarEnd ? behind : page.from);

  return selectItems(db)
    .where('event_reports.id', 'in', ids)
    .orderBy('event_reports.received_ts', wanted)
    .orderBy('event_reports.id', wanted)
    .execute();
}

/** A report with the room that it is in; the room may be gone. */
function selectItems(db: Database) {
  return db
    .selectFrom('event_reports')
    .leftJoin('rooms', 'rooms.room_id', 'event_reports.room_id')
    .select([
      'event_reports.id',
      'event_reports.received_ts',
      'event_reports.room_id',
      'rooms.name',
      'event_reports.event_id',
      'event_reports.user_id',
      'event_reports.reason',
      'event_reports.score',
      'event_reports.sender',
      'rooms.canonical_alias',
    ]) satisfies SelectQueryBuilder<Schema, never, EventReportItem>;
}

/** One report with its event as it was sent; an empty event where that was purged since. */
export async function findReport(db: Database, id: number): Promise<EventReportDetail | undefined> {
  const row = await selectItems(db)
    .leftJoin('events', 'events.event_id', 'event_reports.event_id')
    .select('events.json')
    .where('event_reports.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { json, ...item } = row;
  return { ...item, event_json: JSON.parse(json ?? '{}') as JsonObject };
}
