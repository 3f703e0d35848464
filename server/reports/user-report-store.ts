/** Reports about users. Their list works as that of reported events does. */
import { sql } from 'kysely';
import {
  maximumUserReportsPerPage,
  type UserReport,
  type UserReportListQuery,
  type UserReportPage,
} from '../../shared/api/user-reports.ts';
import type { Database } from '../database/schema.ts';

export type NewUserReport = {
  receivedTs: number;
  /** Whom it is about. */
  targetUserId: string;
  /** Who files it. */
  userId: string;
  reason: string;
};

/** Files a report. Its totals change with it: call it in a transaction. */
export async function insertUserReport(db: Database, report: NewUserReport): Promise<void> {
  const { receivedTs, targetUserId, userId, reason } = report;
  await db
    .insertInto('user_reports')
    .values({ received_ts: receivedTs, target_user_id: targetUserId, user_id: userId, reason })
    .execute();
  await db
    .insertInto('user_report_totals')
    .values(combinations(targetUserId, userId).map((combination) => ({ ...combination, total: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['target_user_id', 'user_id'])
        .doUpdateSet({ total: sql<number>`user_report_totals.total + 1` }),
    )
    .execute();
}

/** Deletes a report for good; false where there is none. Call it in a transaction. */
export async function deleteUserReport(db: Database, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('user_reports')
    .where('id', '=', id)
    .returning(['target_user_id', 'user_id'])
    .executeTakeFirst();
  if (!row) return false;
  for (const { target_user_id, user_id } of combinations(row.target_user_id, row.user_id)) {
    await db
      .updateTable('user_report_totals')
      .set({ total: sql<number>`total - 1` })
      .where('target_user_id', '=', target_user_id)
      .where('user_id', '=', user_id)
      .execute();
  }
  return true;
}

/** Every combination of filters that a report is counted under; an empty string stands for "any". */
const combinations = (targetUserId: string, userId: string) =>
  ['', targetUserId].flatMap((target_user_id) =>
    ['', userId].map((user_id) => ({ target_user_id, user_id })),
  );

export async function findUserReport(db: Database, id: number): Promise<UserReport | undefined> {
  return db.selectFrom('user_reports').selectAll().where('id', '=', id).executeTakeFirst();
}

/** One page of reports and how many there are in all. */
export async function listUserReports(db: Database, query: UserReportListQuery): Promise<UserReportPage> {
  const total = await countReports(db, query);
  const limit = Math.min(query.limit, maximumUserReportsPerPage, Math.max(0, total - query.from));
  const user_reports = limit === 0 ? [] : await readPage(db, query, limit, total);
  const next = query.from + user_reports.length;
  return { user_reports, total, ...(next < total && { next_token: next }) };
}

async function countReports(db: Database, query: UserReportListQuery): Promise<number> {
  const row = await db
    .selectFrom('user_report_totals')
    .select('total')
    .where('target_user_id', '=', query.target_user_id ?? '')
    .where('user_id', '=', query.user_id ?? '')
    .executeTakeFirst();
  return row?.total ?? 0;
}

/** A page in the far half is read from the other end, because skipping rows costs time for each. */
async function readPage(
  db: Database,
  query: UserReportListQuery,
  limit: number,
  total: number,
): Promise<UserReport[]> {
  const behind = total - query.from - limit;
  const fromFarEnd = behind < query.from;
  const newestFirst = (query.dir === 'b') !== fromFarEnd;
  const direction = newestFirst ? 'desc' : 'asc';
  let rows = db.selectFrom('user_reports').selectAll();
  if (query.target_user_id) rows = rows.where('target_user_id', '=', query.target_user_id);
  if (query.user_id) rows = rows.where('user_id', '=', query.user_id);
  const reports = await rows
    .orderBy('received_ts', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(fromFarEnd ? behind : query.from)
    .execute();
  return fromFarEnd ? reports.toReversed() : reports;
}
