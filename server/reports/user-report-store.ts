/** Reports about users. Their list works as that of reported events does. */
import { sql } from 'kysely';
import { maximumUserReportsPerPage } from '../../shared/api/user-reports.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import type { Page } from './event-report-list.ts';

export type NewUserReport = {
  receivedTs: number;
  /** Whom it is about. */
  targetUserId: string;
  /** Who files it. */
  userId: string;
  reason: string;
};

export type UserReport = NewUserReport & { id: number };

/** How far the clocks of processes may be apart, in milliseconds; one that is further behind was set. */
const apart = 10_000;

/**
 * Files a report. Where another process has filed one a moment later by its clock, it came at that time, too: the
 * list grows only at its newest end, so that whoever reads on misses none.
 */
export async function insertUserReport(tx: Tx, report: NewUserReport): Promise<void> {
  const { targetUserId, userId, reason } = report;
  // First, because one of these is counted with every report: who holds it has the newest end until the commit.
  await tx
    .insertInto('user_report_totals')
    .values(combinations(report).map((combination) => ({ ...combination, total: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['target_user_id', 'user_id'])
        .doUpdateSet({ total: sql<number>`user_report_totals.total + 1` }),
    )
    .execute();
  const { newest } = await tx
    .selectFrom('user_reports')
    .select(({ fn }) => fn.max<number | null>('received_ts').as('newest'))
    .executeTakeFirstOrThrow();
  const ahead = (newest ?? 0) - report.receivedTs;
  await tx
    .insertInto('user_reports')
    .values({
      received_ts: report.receivedTs + (ahead > 0 && ahead <= apart ? ahead : 0),
      target_user_id: targetUserId,
      user_id: userId,
      reason,
    })
    .execute();
}

/** Deletes a report for good; false where there is none. */
export async function deleteUserReport(tx: Tx, id: number): Promise<boolean> {
  const report = await tx
    .deleteFrom('user_reports')
    .where('id', '=', id)
    .returning(['target_user_id as targetUserId', 'user_id as userId'])
    .executeTakeFirst();
  if (!report) return false;
  for (const { target_user_id, user_id } of combinations(report)) {
    await tx
      .updateTable('user_report_totals')
      .set({ total: sql<number>`total - 1` })
      .where('target_user_id', '=', target_user_id)
      .where('user_id', '=', user_id)
      .execute();
  }
  return true;
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
  return selectReports(db).where('id', '=', id).executeTakeFirst();
}

const selectReports = (db: Database) =>
  db
    .selectFrom('user_reports')
    .select([
      'id',
      'received_ts as receivedTs',
      'target_user_id as targetUserId',
      'user_id as userId',
      'reason',
    ]);

export type UserReportFilter = { targetUserId?: string | undefined; userId?: string | undefined };

/** One page of reports and how many there are in all. Whoever reads on from its end misses none, and gets none twice. */
export async function listUserReports(
  db: Database,
  filter: UserReportFilter,
  page: Page,
): Promise<{ reports: UserReport[]; total: number }> {
  const { total, newest } = await countReports(db, filter);
  const limit = Math.min(page.limit, maximumUserReportsPerPage, Math.max(0, total - page.from));
  const reports = limit === 0 ? [] : await readPage(db, filter, { ...page, limit, total, newest });
  return { reports, total };
}

/** How many there are, and the newest of all: of the same moment, so that what comes later changes no page. */
async function countReports(
  db: Database,
  { targetUserId = '', userId = '' }: UserReportFilter,
): Promise<{ total: number; newest: number }> {
  const row = await db
    .selectFrom('user_report_totals')
    .select(({ selectFrom }) => [
      'total',
      selectFrom('user_reports')
        .select(({ fn }) => fn.max<number | null>('id').as('newest'))
        .as('newest'),
    ])
    .where('target_user_id', '=', targetUserId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { total: row?.total ?? 0, newest: row?.newest ?? 0 };
}

/** A page in the far half is read from the other end, because skipping rows costs time for each. */
async function readPage(
  db: Database,
  { targetUserId, userId }: UserReportFilter,
  { from, limit, dir, total, newest }: Page & { total: number; newest: number },
): Promise<UserReport[]> {
  const behind = total - from - limit;
  const fromFarEnd = behind < from;
  const newestFirst = (dir === 'b') !== fromFarEnd;
  const direction = newestFirst ? 'desc' : 'asc';
  // As a sum it is no reason to read by the identifiers and sort.
  let rows = selectReports(db).where(sql<number>`id + 0`, '<=', newest);
  if (targetUserId) rows = rows.where('target_user_id', '=', targetUserId);
  if (userId) rows = rows.where('user_id', '=', userId);
  const reports = await rows
    .orderBy('received_ts', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(fromFarEnd ? behind : from)
    .execute();
  return fromFarEnd ? reports.toReversed() : reports;
}
