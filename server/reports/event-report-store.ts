/** Reported events. */
import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import { readJson } from '../../shared/read-json.ts';
import { inPieces } from '../core/pieces.ts';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import { lockUntilCommit } from '../database/lock-until-commit.ts';
import { ownPart } from '../database/own-part.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { deleteEmptyTotals, tryAgain, type WhenHeld } from './empty-totals-store.ts';
import {
  addFewPlaces,
  addPlaces,
  deletePlaces,
  followChange,
  forgetPlacesFrom,
  isAtNewestEnd,
  isTimeForPlaces,
  type MatchValues,
} from './report-place-store.ts';

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

/**
 * Files a report and gives its identifier. Where another process has filed one a moment later by its clock, it came
 * at that time, too.
 */
export async function insertReport(tx: Tx, report: NewReport): Promise<number> {
  const { rows } = await insertRow(tx, report);
  const [{ id, receivedTs, newest } = { id: 0, receivedTs: 0, newest: 0 }] = rows;
  await count(tx, 1, report);
  const lists = () => combinations(report).map(asList);
  if (!isAtNewestEnd(receivedTs, newest)) await followChange(tx, lists(), { receivedTs, id }, 1);
  if (isTimeForPlaces()) await addFewPlaces(tx, lists());
  return id;
}

const insertRow = builtOnce((db, report: NewReport) =>
  db
    .insertInto('event_reports')
    .$call((reports) => (isPostgres(db) ? withNextNumber(reports, report) : reports.values(asRow(report))))
    .returning(({ selectFrom }) => [
      'id',
      'received_ts as receivedTs',
      selectFrom('event_reports as others')
        .select(({ fn }) => fn.max<number>('others.received_ts').as('newest'))
        .$asScalar()
        .$notNull()
        .as('newest'),
    ]),
);

/** Several processes number reports in the order of their times. */
function withNextNumber(
  reports: InsertQueryBuilder<Schema, 'event_reports', InsertResult>,
  report: NewReport,
) {
  const { received_ts, ...others } = asRow(report);
  const names = Object.keys(others) as (keyof typeof others)[];
  return reports.columns(['id', 'received_ts', ...names]).expression(
    sql`select next.id, next.received_ts, ${sql.join(names.map((name) => others[name]))}
      from next_event_report(${received_ts}) as next`,
  );
}

/** Files many reports at once, in the order of their times. */
export async function insertReports(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  if (reports.length === 0) return;
  for (const piece of inPieces(reports, rowsAtOnce)) {
    await tx.insertInto('event_reports').values(piece.map(asRow)).execute();
  }
  await forgetPlacesFrom(
    tx,
    reports.reduce((oldest, { receivedTs }) => Math.min(oldest, receivedTs), Number.POSITIVE_INFINITY),
  );
  for (const { total, ...list } of await countAll(tx, reports)) {
    if (total >= manyAtOnce) await addPlaces(tx, asList(list));
  }
}

/** Lists that so many are added to at once are long, or on their way to it. */
const manyAtOnce = 250;

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

/** Gives how many were counted under each combination of filters. */
async function countAll(tx: Tx, reports: readonly NewReport[]): Promise<(TotalKey & { total: number })[]> {
  const counts = new Map<string, TotalKey & { total: number }>();
  for (const report of reports) {
    for (const combination of combinations(report)) {
      const key = JSON.stringify(Object.values(combination));
      const counted = counts.get(key);
      if (counted) counted.total++;
      else counts.set(key, { ...combination, total: 1 });
    }
  }
  const rows = [...counts.values()].sort(inOrder);
  for (const piece of inPieces(rows, rowsAtOnce)) await addToTotals(tx, piece).execute();
  return rows;
}

/** Counts a report under every combination of filters, or takes it away there. */
const count = builtOnceFor((db, report: Pick<NewReport, 'roomId' | 'userId' | 'sender'>, by: 1 | -1) =>
  addToTotals(
    db,
    combinations(report).map((key) => ({ ...key, total: by })),
  ),
);

const addToTotals = (db: Database, rows: (TotalKey & { total: number })[]) =>
  db
    .insertInto('event_report_totals')
    .values(rows.map((row) => ({ ...row, part: ownPart(db) })))
    .onConflict((conflict) =>
      conflict.columns(['room_id', 'user_id', 'sender', 'part']).doUpdateSet({
        total: sql<number>`event_report_totals.total + excluded.total`,
      }),
    );

/** Deletes a report for good; false where there is none. */
export const deleteReport = async (
  tx: Tx,
  id: number,
  whenHeld: WhenHeld<TotalKey> = tryAgain,
): Promise<boolean> => (await deleteReports(tx, [id], whenHeld)) > 0;

/** Deletes reports for good, with all that counted no others, and gives how many there were. */
export async function deleteReports(
  tx: Tx,
  ids: readonly number[],
  whenHeld: WhenHeld<TotalKey> = tryAgain,
): Promise<number> {
  const totals: TotalKey[] = [];
  let deleted = 0;
  for (const id of ids) {
    const lists = await deleteAndCount(tx, id);
    if (!lists) continue;
    deleted++;
    totals.push(...lists);
  }
  if (deleted === 0) return 0;
  await forgetEmpty(tx, totals, whenHeld);
  return deleted;
}

/** Of totals whose reports are gone nothing is kept. @throws DatabaseFault `contended` where somebody counts there */
export async function forgetEmptyEventTotals(tx: Tx, totals: readonly TotalKey[]): Promise<void> {
  await lockUntilCommit(tx, 'reportPlaces');
  await forgetEmpty(tx, totals, tryAgain);
}

async function forgetEmpty(tx: Tx, totals: readonly TotalKey[], whenHeld: WhenHeld<TotalKey>): Promise<void> {
  for (const total of await deleteEmptyTotals(tx, 'event_report_totals', totals, whenHeld)) {
    await deletePlaces(tx, asList(total));
  }
}

/** Gives what the report was counted under. */
async function deleteAndCount(tx: Tx, id: number): Promise<TotalKey[] | undefined> {
  const report = await tx
    .deleteFrom('event_reports')
    .where('id', '=', id)
    .returning(['room_id as roomId', 'user_id as userId', 'sender', 'received_ts as receivedTs'])
    .executeTakeFirst();
  if (!report) return undefined;
  const totals = combinations(report);
  await count(tx, -1, report);
  await followChange(tx, totals.map(asList), { receivedTs: report.receivedTs, id }, -1);
  return totals;
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

const asList = ({ room_id, user_id, sender }: TotalKey): MatchValues => ({
  roomId: room_id,
  userId: user_id,
  sender,
});

/** Reports with what their rooms are called. */
export const selectReports = (db: Database) =>
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
  return { ...report, event: readJson(json ?? '{}') as JsonObject };
}
