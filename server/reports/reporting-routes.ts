import {
  reportEvent as reportEventSchema,
  reportRoom as reportRoomSchema,
  reportUser as reportUserSchema,
} from '../../shared/api/reporting.ts';
import { type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { type ReportingContext, reportEvent, reportRoom, reportUser } from './reporting.ts';

const reporting: UserPolicy = { ...user, limits: [{ of: 'reports', by: 'user' }] };

export const eventReportingRoutes: Routes<ReportingContext> = (app, context) => {
  app.post(
    '/rooms/:roomId/report/:eventId',
    { schema: reportEventSchema, config: { policy: reporting } },
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
    { schema: reportRoomSchema, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      await reportRoom(context, requester.userId, params.roomId, body.reason);
      return {};
    },
  );

  app.post(
    '/users/:userId/report',
    { schema: reportUserSchema, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      await reportUser(context, requester.userId, params.userId, body.reason);
      return {};
    },
  );
};
