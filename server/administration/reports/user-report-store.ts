/** Reports of users. */
import { maximumUserReportsPerPage } from '../../../shared/api/reports.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { addToTotals, createPages, type Page, receivedAt, removeFromTotals } from './report-list-store.ts';

type NewUserReport = {
  receivedTs: number;
  /** The reported user. */
  targetUserId: string;
  /** The reporter. */
  userId: string;
  reason: string;
};

export type UserReport = NewUserReport & { id: number };

const columns = [
  'id',
  'received_ts as receivedTs',
  'target_user_id as targetUserId',
  'user_id as userId',
  'reason',
] as const;

const countedColumns = ['target_user_id', 'user_id', 'part'] as const;

/** Files a report of a user. */
export async function insertUserReport(
  tx: Tx,
  { receivedTs, targetUserId, userId, reason }: NewUserReport,
): Promise<void> {
  const counted = await tx
    .insertInto('user_reports')
    .values({
      received_ts: receivedAt('user_reports', receivedTs),
      target_user_id: targetUserId,
      user_id: userId,
      reason,
    })
    .returning(countedColumns)
    .execute();
  await addToTotals(tx, 'user_reports', counted);
}

type UserReportFilter = { targetUserId?: string | undefined; userId?: string | undefined };

const readPage = createPages<UserReport>('user_reports', (db, ids, order) =>
  db
    .selectFrom('user_reports')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('received_ts', order)
    .orderBy('id', order),
);

/** Returns one page of reports and the number of all that match. */
export const listUserReports = (
  db: Database,
  { targetUserId, userId }: UserReportFilter,
  { from, limit, dir }: Page,
): Promise<{ reports: UserReport[]; total: number }> =>
  readPage(
    db,
    { target_user_id: targetUserId, user_id: userId },
    { from, limit: Math.min(limit, maximumUserReportsPerPage), dir },
  );

export const findUserReport = (db: Database, id: number): Promise<UserReport | undefined> =>
  db.selectFrom('user_reports').select(columns).where('id', '=', id).executeTakeFirst();

/** Deletes a report. Returns false if it doesn't exist. */
export const deleteUserReport = (db: Database, id: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const report = tx.deleteFrom('user_reports').where('id', '=', id);
    const deleted = await report.returning(countedColumns).execute();
    await removeFromTotals(tx, 'user_reports', deleted);
    return deleted.length > 0;
  });
