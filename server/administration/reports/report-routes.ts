/** Reporting events, rooms and users, and the administrators' lists of reports. */
import type { EventReportItem } from '../../../shared/api/reports.ts';
import * as schemas from '../../../shared/api/reports.ts';
import { invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator, type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deleteReport, type EventReport, findReport, listReports } from './event-report-store.ts';
import { type ReportingContext, reportEvent, reportRoom, reportUser } from './reporting.ts';
import { deleteRoomReport, findRoomReport, listRoomReports, type RoomReport } from './room-report-store.ts';
import { deleteUserReport, findUserReport, listUserReports, type UserReport } from './user-report-store.ts';

type Context = { db: Database };

const config = { policy: administrator };

/** Synapse's admin API for event reports. */
export const eventReportRoutes: Routes<Context> = (app, { db }) => {
  app.get('/v1/event_reports', { schema: schemas.listEventReports, config }, async ({ query }) => {
    const filter = { roomId: query.room_id, userId: query.user_id, sender: query.event_sender_user_id };
    const { reports, total } = await listReports(db, filter, query);
    return { event_reports: reports.map(asEventReport), total, ...nextToken(query, reports, total) };
  });

  app.get('/v1/event_reports/:report_id', { schema: schemas.getEventReport, config }, async ({ params }) => {
    const report = await found('Event', findReport(db, reportId(params.report_id)));
    return { ...asEventReport(report), event_json: report.event };
  });

  app.delete(
    '/v1/event_reports/:report_id',
    { schema: schemas.deleteEventReport, config },
    async ({ params }) => {
      await found('Event', deleteReport(db, reportId(params.report_id)));
      return {};
    },
  );
};

export const userReportRoutes: Routes<Context> = (app, { db }) => {
  app.get('/v1/user_reports', { schema: schemas.listUserReports, config }, async ({ query }) => {
    const filter = { targetUserId: query.target_user_id, userId: query.user_id };
    const { reports, total } = await listUserReports(db, filter, query);
    return { user_reports: reports.map(asUserReport), total, ...nextToken(query, reports, total) };
  });

  app.get('/v1/user_reports/:report_id', { schema: schemas.getUserReport, config }, async ({ params }) => {
    return asUserReport(await found('User', findUserReport(db, reportId(params.report_id))));
  });

  app.delete(
    '/v1/user_reports/:report_id',
    { schema: schemas.deleteUserReport, config },
    async ({ params }) => {
      await found('User', deleteUserReport(db, reportId(params.report_id)));
      return {};
    },
  );
};

/** Synapse has no list of room reports. This one works like `user_reports`. */
export const roomReportRoutes: Routes<Context> = (app, { db }) => {
  app.get('/v1/room_reports', { schema: schemas.listRoomReports, config }, async ({ query }) => {
    const { reports, total } = await listRoomReports(db, query);
    return { room_reports: reports.map(asRoomReport), total, ...nextToken(query, reports, total) };
  });

  app.get('/v1/room_reports/:report_id', { schema: schemas.getRoomReport, config }, async ({ params }) => {
    return asRoomReport(await found('Room', findRoomReport(db, reportId(params.report_id))));
  });

  app.delete(
    '/v1/room_reports/:report_id',
    { schema: schemas.deleteRoomReport, config },
    async ({ params }) => {
      await found('Room', deleteRoomReport(db, reportId(params.report_id)));
      return {};
    },
  );
};

/** @throws MatrixError 400 `M_INVALID_PARAM` */
function reportId(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw invalidParameter('The report_id parameter must be a string representing a positive integer.');
  }
  // No report has an ID this large, so larger ones needn't be exact.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** @throws MatrixError 404 if the report doesn't exist */
async function found<Result>(kind: 'Event' | 'User' | 'Room', reply: Promise<Result>) {
  const result = await reply;
  if (!result) throw notFound(`${kind} report not found`);
  return result;
}

function nextToken({ from }: { from: number }, { length }: readonly unknown[], total: number) {
  const next = from + length;
  return next < total && { next_token: next };
}

const asEventReport = (report: EventReport): EventReportItem => ({
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

const asUserReport = (report: UserReport) => ({
  id: report.id,
  received_ts: report.receivedTs,
  target_user_id: report.targetUserId,
  user_id: report.userId,
  reason: report.reason,
});

const asRoomReport = (report: RoomReport) => ({
  id: report.id,
  received_ts: report.receivedTs,
  room_id: report.roomId,
  user_id: report.userId,
  reason: report.reason,
});

const reporting: UserPolicy = { ...user, limits: [{ of: 'reports', by: 'user' }] };

export const eventReportingRoutes: Routes<ReportingContext> = (app, context) => {
  app.post(
    '/rooms/:roomId/report/:eventId',
    { schema: schemas.reportEvent, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      await reportEvent(context, requester.userId, params, body);
      return {};
    },
  );
};

/** Only in newer versions of the interface. */
export const roomAndUserReportingRoutes: Routes<ReportingContext> = (app, context) => {
  app.post(
    '/rooms/:roomId/report',
    { schema: schemas.reportRoom, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      await reportRoom(context, requester.userId, params.roomId, body.reason);
      return {};
    },
  );

  app.post(
    '/users/:userId/report',
    { schema: schemas.reportUser, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      await reportUser(context, requester.userId, params.userId, body.reason);
      return {};
    },
  );
};
