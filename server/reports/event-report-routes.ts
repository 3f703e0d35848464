import { deleteEventReport, getEventReport, listEventReports } from '../../shared/api/event-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { deleteReport, findReport, listReports } from './event-report-store.ts';
import { reportId } from './report-id.ts';

/** Interface: "GET …/event_reports" and the two endpoints below it. */
export const eventReportRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/v1/event_reports', { schema: listEventReports, config: { policy: administrator } }, ({ query }) =>
    listReports(db, query),
  );

  app.get(
    '/v1/event_reports/:report_id',
    { schema: getEventReport, config: { policy: administrator } },
    async ({ params }) => {
      const report = await findReport(db, reportId(params.report_id));
      if (!report) throw notFound('Event report not found');
      return report;
    },
  );

  app.delete(
    '/v1/event_reports/:report_id',
    { schema: deleteEventReport, config: { policy: administrator } },
    async ({ params }) => {
      const id = reportId(params.report_id);
      const deleted = await inTransaction(db, (tx) => deleteReport(tx, id));
      if (!deleted) throw notFound('Event report not found');
      return {};
    },
  );
};
