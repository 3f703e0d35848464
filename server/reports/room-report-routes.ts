import {
  deleteRoomReport as deleteSchema,
  getRoomReport,
  listRoomReports as listSchema,
} from '../../shared/api/room-reports.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { reportId } from './one-report.ts';
import { deleteRoomReport, findRoomReport, listRoomReports, type RoomReport } from './room-report-store.ts';

/** Lists, reads and deletes reports about rooms. Synapse has no such list; this one works as `user_reports` does. */
export const roomReportRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/v1/room_reports',
    { schema: listSchema, config: { policy: administrator } },
    async ({ query }) => {
      const { reports, total } = await listRoomReports(db, query);
      const next = query.from + reports.length;
      return { room_reports: reports.map(asItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.get(
    '/v1/room_reports/:report_id',
    { schema: getRoomReport, config: { policy: administrator } },
    async ({ params }) => {
      const report = await findRoomReport(db, reportId(params.report_id));
      if (!report) throw notFound('Room report not found');
      return asItem(report);
    },
  );

  app.delete(
    '/v1/room_reports/:report_id',
    { schema: deleteSchema, config: { policy: administrator } },
    async ({ params }) => {
      if (!(await deleteRoomReport(db, reportId(params.report_id)))) throw notFound('Room report not found');
      return {};
    },
  );
};

const asItem = (report: RoomReport) => ({
  id: report.id,
  received_ts: report.receivedTs,
  room_id: report.roomId,
  user_id: report.userId,
  reason: report.reason,
});
