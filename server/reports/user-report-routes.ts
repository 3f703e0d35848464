import { deleteUserReport, getUserReport, listUserReports } from '../../shared/api/user-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { reportId } from './report-id.ts';
import * as reports from './user-report-store.ts';

export const userReportRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/v1/user_reports', { schema: listUserReports, config: { policy: administrator } }, ({ query }) =>
    reports.listUserReports(db, query),
  );

  app.get(
    '/v1/user_reports/:report_id',
    { schema: getUserReport, config: { policy: administrator } },
    async ({ params }) => {
      const report = await reports.findUserReport(db, reportId(params.report_id));
      if (!report) throw notFound('User report not found');
      return report;
    },
  );

  app.delete(
    '/v1/user_reports/:report_id',
    { schema: deleteUserReport, config: { policy: administrator } },
    async ({ params }) => {
      const id = reportId(params.report_id);
      const deleted = await inTransaction(db, (tx) => reports.deleteUserReport(tx, id));
      if (!deleted) throw notFound('User report not found');
      return {};
    },
  );
};
