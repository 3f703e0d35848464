/** Reported events. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import { maximumReportsPerPage } from '../../shared/api/event-reports.ts';
import { inPieces } from '../core/pieces.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

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

/** A report with what its room is called; the room may be gone. */
export type EventReport = NewReport & { id: number; roomName: string | null; canonicalAlias: string | null };

/** Files a report and gives its identifier. */
export async function insertReport(tx: Tx, report: NewReport): Promise<number> {
  const { id } = await tx
    .insertInto('event_reports')
    .values(asRow(report))
    .returning('id')
    .executeTakeFirstOrThrow();
  await addToTotals(tx, [report]);
  return id;
}

/** Files many reports at once, in the order of their times. */
export async function insertReports(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  for (const piece of inPieces(reports, rowsAtOnce)) {
    await tx.insertInto('event_reports').values(piece.map(asRow)).execute();
  }
  await addToTotals(tx, reports);
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

async function addToTotals(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  const counts = new Map<string, TotalKey & { total: number }>();
  for (const report of reports) {
    for (const combination of combinations(report)) {
      const key = JSON.stringify(Object.values(combination));
      const count = counts.get(key);
      if (count) count.total++;
      else counts.set(key, { ...combination, total: 1 });
    }
  }
  const rows = [...counts.values()].sort(inOrder);
  for (const piece of inPieces(rows, rowsAtOnce)) {
    await tx
      .insertInto('event_report_totals')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['room_id', 'user_id', 'sender']).doUpdateSet({
          total: sql<number>`event_report_totals.total + excluded.total`,
        }),
      )
      .execute();
  }
}

/** Deletes a report for good; false where there is none. */
export async function deleteReport(tx: Tx, id: number): Promise<boolean> {
  const report = await tx
    .deleteFrom('event_reports')
    .where('id', '=', id)
    .returning(['room_id as roomId', 'user_id as userId', 'sender'])
    .executeTakeFirst();
  if (!report) return false;
  for (const combination of combinations(report)) {
    await tx
      .updateTable('event_report_totals')
      .set({ total: sql<number>`total - 1` })
      .where(isTotal(combination))
      .execute();
  }
  return true;
}

type TotalKey = { room_id: string; user_id: string; sender: string };

const inOrder = (a: TotalKey, b: TotalKey) =>
  compare(a.room_id, b.room_id) || compare(a.user_id, b.user_id) || compare(a.sender, b.sender);

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

/**
 * Every combination of filters that a report is counted under; an empty string stands for "any". They come
 * in the order of their keys, in which everybody locks them: each of them is shared by many reports, and
 * the first by all.
 */
function combinations({ roomId, userId, sender }: Pick<NewReport, 'roomId' | 'userId' | 'sender'>) {
  return ['', roomId].flatMap((room_id) =>
    ['', userId].flatMap((user_id) => ['', sender].map((of): TotalKey => ({ room_id, user_id, sender: of }))),
  );
}

const isTotal =
  (key: TotalKey) =>
  ({ and }: ExpressionBuilder<Schema, 'event_report_totals'>) =>
    and(key);

/** Each part that is given narrows the list down. */
export type ReportFilter = {
  roomId?: string | undefined;
  userId?: string | undefined;
  sender?: string | undefined;
};

/** `from` is how many reports are left out; `b` is newest first. */
export type Page = { from: number; limit: number; dir: 'b' | 'f' };

/** One page of reports and how many there are in all. */
export async function listReports(
  db: Database,
  { roomId = '', userId = '', sender = '' }: ReportFilter,
  { from, dir, limit: wanted }: Page,
): Promise<{ reports: EventReport[]; total: number }> {
  const filter = { room_id: roomId, user_id: userId, sender };
  const total = await countReports(db, filter);
  const limit = Math.min(wanted, maximumReportsPerPage, Math.max(0, total - from));
  const reports = limit === 0 ? [] : await readPage(db, filter, { from, dir, limit, total });
  return { reports, total };
}

async function countReports(db: Database, key: TotalKey): Promise<number> {
  const row = await db
    .selectFrom('event_report_totals')
    .select('total')
    .where(isTotal(key))
    .executeTakeFirst();
  return row?.total ?? 0;
}

/**
 * The reports of a page. Skipping rows costs time for each, so a page in the far half is read from the
 * other end; and only identifiers are skipped, from an index, before anything else is looked up.
 */
async function readPage(
  db: Database,
  filter: TotalKey,
  page: Page & { total: number },
): Promise<EventReport[]> {
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

  return selectReports(db)
    .where('event_reports.id', 'in', ids)
    .orderBy('event_reports.received_ts', wanted)
    .orderBy('event_reports.id', wanted)
    .execute();
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

/** One report with its event as it was sent; an empty event where that was purged since. */
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
  return { ...report, event: JSON.parse(json ?? '{}') as JsonObject };
}

/** How many reports one piece of a purge is: some milliseconds of work, because each is counted in several totals. */
const purgedAtOnce = 50;

/** Deletes some reports on a room's events; false where none was left. */
export async function purgeEventReports(tx: Tx, roomId: string): Promise<boolean> {
  const reports = await tx
    .selectFrom('event_reports')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(purgedAtOnce)
    .execute();
  for (const { id } of reports) await deleteReport(tx, id);
  return reports.length > 0;
}
