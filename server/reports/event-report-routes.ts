import {
  deleteEventReport as deleteSchema,
  type EventReportItem,
  getEventReport,
  listEventReports,
} from '../../shared/api/event-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { KeptReplies } from '../http/kept-replies.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { listReports } from './event-report-list-store.ts';
import { type EventReport, findReport } from './event-report-store.ts';
import type { HeldTotals } from './held-totals.ts';
import { deleteEventReport, reportId } from './one-report.ts';

type Context = { db: Database; keptReplies: KeptReplies; heldTotals: HeldTotals };

/** What administrators do with reported events. Interface: "GET …/event_reports" and the two endpoints below it. */
export const eventReportRoutes: Routes<Context> = (app, { db, keptReplies, heldTotals }) => {
  app.get(
    '/v1/event_reports',
    { schema: listEventReports, config: { policy: administrator } },
    async ({ query }, reply) => {
      const { room_id: roomId, user_id: userId, event_sender_user_id: sender, from, limit, dir } = query;
      const [filter, page] = [
        { roomId, userId, sender },
        { from, limit, dir },
      ];
      const list = async () => {
        const { reports, total } = await listReports(db, filter, page);
        const next = from + reports.length;
        const body = { event_reports: reports.map(asItem), total, ...(next < total && { next_token: next }) };
        return Buffer.from(String(reply.serializeInput(body, '200')));
      };
      return sendJson(reply, await keptReplies.get('reports', JSON.stringify({ ...filter, ...page }), list));
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
