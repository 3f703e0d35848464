/** Reports about users. Their list works as that of reported events does. */
import { sql } from 'kysely';
import { maximumUserReportsPerPage } from '../../shared/api/user-reports.ts';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import { ownPart } from '../database/own-part.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { deleteEmptyTotals, tryAgain, type WhenHeld } from './empty-totals-store.ts';
import type { Page } from './event-report-list-store.ts';
import { settledReports } from './settled-report-store.ts';

export type NewUserReport = {
  receivedTs: number;
  /** Whom it is about. */
  targetUserId: string;
  /** Who files it. */
  userId: string;
  reason: string;
};

export type UserReport = NewUserReport & { id: number };

/** How far a clock may have been set back, in milliseconds, so that the newest report still counts as older. */
const apart = sql.lit(10_000);

/**
 * Files a report. Where one was filed a moment later by its clock, it came at that time, too: the list grows only at
 * its newest end, so that whoever reads on misses none.
 */
export async function insertUserReport(tx: Tx, report: NewUserReport): Promise<void> {
  await insertRow(tx, report);
  await count(tx, 1, report);
}

const insertRow = builtOnce((db, { receivedTs, targetUserId, userId, reason }: NewUserReport) => {
  const newest = sql<number>`(select max(received_ts) from user_reports)`;
  const others = [sql.val(targetUserId), sql.val(userId), sql.val(reason)];
  const columns = ['target_user_id', 'user_id', 'reason'] as const;
  return isPostgres(db)
    ? db
        .insertInto('user_reports')
        .columns(['id', 'received_ts', ...columns])
        .expression(
          sql`select next.id, next.received_ts, ${sql.join(others)} from next_user_report(${receivedTs}) as next`,
        )
    : db
        .insertInto('user_reports')
        .columns(['received_ts', ...columns])
        .expression(
          sql`select case when ${newest} between given and given + ${apart} then ${newest} else given end,
            ${sql.join(others)} from (select ${receivedTs} as given)`,
        );
});

/** Counts a report under every combination of filters, or takes it away there. */
const count = builtOnceFor((db, report: Pick<NewUserReport, 'targetUserId' | 'userId'>, by: 1 | -1) =>
  db
    .insertInto('user_report_totals')
    .values(combinations(report).map((key) => ({ ...key, part: ownPart(db), total: by })))
    .onConflict((conflict) =>
      conflict
        .columns(['target_user_id', 'user_id', 'part'])
        .doUpdateSet({ total: sql<number>`user_report_totals.total + excluded.total` }),
    ),
);

/** Deletes a report for good; false where there is none. */
export async function deleteUserReport(tx: Tx, id: number, whenHeld: WhenHeld<TotalKey>): Promise<boolean> {
  const report = await tx
    .deleteFrom('user_reports')
    .where('id', '=', id)
    .returning(['target_user_id as targetUserId', 'user_id as userId'])
    .executeTakeFirst();
  if (!report) return false;
  await count(tx, -1, report);
  await deleteEmptyTotals(tx, 'user_report_totals', combinations(report), whenHeld);
  return true;
}

type TotalKey = { target_user_id: string; user_id: string };

/** Of totals whose reports are gone nothing is kept. @throws DatabaseFault `contended` where somebody counts there */
export async function forgetEmptyUserTotals(tx: Tx, totals: readonly TotalKey[]): Promise<void> {
  await deleteEmptyTotals(tx, 'user_report_totals', totals, tryAgain);
}

/**
 * Every combination of filters that a report is counted under, in the order in which everybody locks them;
 * an empty string stands for "any".
 */
const combinations = ({ targetUserId, userId }: Pick<NewUserReport, 'targetUserId' | 'userId'>) =>
  ['', targetUserId].flatMap((target_user_id) =>
    ['', userId].map((user_id) => ({ target_user_id, user_id })),
  );

export async function findUserReport(db: Database, id: number): Promise<UserReport | undefined> {
  return db.selectFrom('user_reports').select(columns).where('id', '=', id).executeTakeFirst();
}

const columns = [
  'id',
  'received_ts as receivedTs',
  'target_user_id as targetUserId',
  'user_id as userId',
  'reason',
] as const;

export type UserReportFilter = { targetUserId?: string | undefined; userId?: string | undefined };

/** One page of reports and how many there are in all. Whoever reads on from its end misses none, and gets none twice. */
export async function listUserReports(
  db: Database,
  filter: UserReportFilter,
  page: Page,
): Promise<{ reports: UserReport[]; total: number }> {
  const { total, settled } = await countReports(db, filter);
  const limit = Math.min(page.limit, maximumUserReportsPerPage, Math.max(0, total - page.from));
  const reports = limit === 0 ? [] : await readPage(db, filter, { ...page, limit, total, settled });
  return { reports, total };
}

/** How many there are, up to where the list is settled; of the same moment, so that what comes later changes no page. */
async function countReports(
  db: Database,
  filter: UserReportFilter,
): Promise<{ total: number; settled: number }> {
  const { targetUserId = '', userId = '' } = filter;
  const settled = isPostgres(db) ? await settledReports(db, 'user') : undefined;
  const row = await db
    .selectFrom('user_report_totals')
    .select(({ fn, selectFrom }) => [
      fn.sum<number | string | null>('total').as('total'),
      selectFrom('user_reports')
        .select(({ fn }) => fn.max<number | null>('id').as('newest'))
        .as('newest'),
      filtered(db, filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('id', '>', settled ?? Number.MAX_SAFE_INTEGER)
        .as('unsettled'),
    ])
    .where('target_user_id', '=', targetUserId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return {
    total: Number(row?.total ?? 0) - Number(row?.unsettled ?? 0),
    settled: settled ?? row?.newest ?? 0,
  };
}

function filtered(db: Database, { targetUserId, userId }: UserReportFilter) {
  let reports = db.selectFrom('user_reports');
  if (targetUserId) reports = reports.where('target_user_id', '=', targetUserId);
  if (userId) reports = reports.where('user_id', '=', userId);
  return reports;
}

/** A page in the far half is read from the other end, because skipping rows costs time for each. */
async function readPage(
  db: Database,
  filter: UserReportFilter,
  { from, limit, dir, total, settled }: Page & { total: number; settled: number },
): Promise<UserReport[]> {
  const behind = total - from - limit;
  const fromFarEnd = behind < from;
  const newestFirst = (dir === 'b') !== fromFarEnd;
  const direction = newestFirst ? 'desc' : 'asc';
  const reports = await filtered(db, filter)
    .select(columns)
    // As a sum it is no reason to read by the identifiers and sort.
    .where(sql<number>`id + 0`, '<=', settled)
    .orderBy('received_ts', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(fromFarEnd ? behind : from)
    .execute();
  return fromFarEnd ? reports.toReversed() : reports;
}
