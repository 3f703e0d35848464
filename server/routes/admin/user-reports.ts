import { deleteUserReport, getUserReport, listUserReports } from '../../../shared/api/user-reports.ts';
import { notFound } from '../../http/matrix-error.ts';
import { reportId } from '../../http/report-id.ts';
import type { Routes } from '../../http/routes.ts';
import * as reports from '../../storage/user-reports.ts';

export const userReportRoutes: Routes = (app, { db }) => {
  app.get('/v1/user_reports', { schema: listUserReports }, ({ query }) => reports.listUserReports(db, query));

  app.get('/v1/user_reports/:report_id', { schema: getUserReport }, async ({ params }) => {
    const report = await reports.findUserReport(db, reportId(params.report_id));
    if (!report) throw notFound('User report not found');
    return report;
  });

  app.delete('/v1/user_reports/:report_id', { schema: deleteUserReport }, async ({ params }) => {
    const id = reportId(params.report_id);
    const deleted = await db
      .transaction()
      .execute((transaction) => reports.deleteUserReport(transaction, id));
    if (!deleted) throw notFound('User report not found');
    return {};
  });
};
