import {
  deleteUserReport as deleteSchema,
  getUserReport,
  listUserReports as listSchema,
} from '../../shared/api/user-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { HeldTotals } from './held-totals.ts';
import { deleteUserReport, reportId } from './one-report.ts';
import { findUserReport, listUserReports, type UserReport } from './user-report-store.ts';

/** What administrators do with reports about users. */
export const userReportRoutes: Routes<{ db: Database; heldTotals: HeldTotals }> = (
  app,
  { db, heldTotals },
) => {
  app.get(
    '/v1/user_reports',
    { schema: listSchema, config: { policy: administrator } },
    async ({ query }) => {
      const { target_user_id: targetUserId, user_id: userId } = query;
      const { reports, total } = await listUserReports(db, { targetUserId, userId }, query);
      const next = query.from + reports.length;
      return { user_reports: reports.map(asItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.get(
    '/v1/user_reports/:report_id',
    { schema: getUserReport, config: { policy: administrator } },
    async ({ params }) => {
      const report = await findUserReport(db, reportId(params.report_id));
      if (!report) throw notFound('User report not found');
      return asItem(report);
    },
  );

  app.delete(
    '/v1/user_reports/:report_id',
    { schema: deleteSchema, config: { policy: administrator } },
    async ({ params }) => {
      await deleteUserReport({ db, heldTotals }, reportId(params.report_id));
      return {};
    },
  );
};

const asItem = (report: UserReport) => ({
  id: report.id,
  received_ts: report.receivedTs,
  target_user_id: report.targetUserId,
  user_id: report.userId,
  reason: report.reason,
});
