import { deleteEventReport, getEventReport, listEventReports } from '../../../shared/api/event-reports.ts';
import { notFound } from '../../http/matrix-error.ts';
import { reportId } from '../../http/report-id.ts';
import type { Routes } from '../../http/routes.ts';
import { deleteReport, findReport, listReports } from '../../storage/event-reports.ts';

/** Interface: "GET …/event_reports" and the two endpoints below it. */
export const eventReportRoutes: Routes = (app, { db }) => {
  app.get('/v1/event_reports', { schema: listEventReports }, ({ query }) => listReports(db, query));

  app.get('/v1/event_reports/:report_id', { schema: getEventReport }, async ({ params }) => {
    const report = await findReport(db, reportId(params.report_id));
    if (!report) throw notFound('Event report not found');
    return report;
  });

  app.delete('/v1/event_reports/:report_id', { schema: deleteEventReport }, async ({ params }) => {
    const id = reportId(params.report_id);
    const deleted = await db.transaction().execute((transaction) => deleteReport(transaction, id));
    if (!deleted) throw notFound('Event report not found');
    return {};
  });
};
