import {
  deleteEventReport as deleteSchema,
  type EventReportItem,
  getEventReport,
  listEventReports,
} from '../../shared/api/event-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { listReports } from './event-report-list-store.ts';
import { type EventReport, findReport } from './event-report-store.ts';
import type { HeldTotals } from './held-totals.ts';
import { deleteEventReport, reportId } from './one-report.ts';

type Context = { db: Database; heldTotals: HeldTotals };

/** Event reports for admins. Interface: "GET …/event_reports" and the two endpoints below it. */
export const eventReportRoutes: Routes<Context> = (app, { db, heldTotals }) => {
  app.get(
    '/v1/event_reports',
    { schema: listEventReports, config: { policy: administrator } },
    async ({ query }) => {
      const { room_id: roomId, user_id: userId, event_sender_user_id: sender, from, limit, dir } = query;
      const { reports, total } = await listReports(db, { roomId, userId, sender }, { from, limit, dir });
      const next = from + reports.length;
      return { event_reports: reports.map(asItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.get(
    '/v1/event_reports/:report_id',
    { schema: getEventReport, config: { policy: administrator } },
    async ({ params }) => {
      const report = await findReport(db, reportId(params.report_id));
      if (!report) throw notFound('Event report not found');
      return { ...asItem(report), event_json: report.event };
    },
  );

  app.delete(
    '/v1/event_reports/:report_id',
    { schema: deleteSchema, config: { policy: administrator } },
    async ({ params }) => {
      await deleteEventReport({ db, heldTotals }, reportId(params.report_id));
      return {};
    },
  );
};

const asItem = (report: EventReport): EventReportItem => ({
  id: report.id,
  received_ts: report.receivedTs,
  room_id: report.roomId,
  name: report.roomName,
  event_id: report.eventId,
  user_id: report.userId,
  reason: report.reason,
  score: report.score,
  sender: report.sender,
  canonical_alias: report.canonicalAlias,
});
