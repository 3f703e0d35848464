/** What users report: events, whole rooms, other users. */
import { reportEvent } from '../../shared/api/rooms.ts';
import { reportRoom, reportUser } from '../../shared/api/user-reports.ts';
import { findUser } from '../accounts/user-store.ts';
import type { Clock } from '../core/clock.ts';
import { badJson, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { findVisibleEvent } from '../rooms/access.ts';
import { findRoom } from '../rooms/room-store.ts';
import { insertReport } from './event-report-store.ts';
import { insertRoomReport } from './room-report-store.ts';
import { insertUserReport } from './user-report-store.ts';

const reporting: UserPolicy = { ...user, limits: [{ of: 'reports', by: 'user' }] };

type ReportingContext = { db: Database; clock: Clock };

/** The longest reason of a report about a user, in characters. */
const maximumReason = 1000;

export const eventReportingRoutes: Routes<ReportingContext> = (app, { db, clock }) => {
  app.post(
    '/rooms/:roomId/report/:eventId',
    { schema: reportEvent, config: { policy: reporting } },
    ({ params, body, requester }) =>
      inTransaction(db, async (tx) => {
        const { roomId, eventId } = params;
        const { userId } = requester;
        const visible = await findVisibleEvent(tx, roomId, userId, eventId);
        if (!visible) {
          throw notFound("Unable to report event: it does not exist or you aren't able to see it.");
        }
        await insertReport(tx, {
          receivedTs: clock.now(),
          roomId,
          eventId,
          userId,
          sender: visible.event.pdu.sender,
          reason: body.reason ?? null,
          score: body.score ?? null,
        });
        return {};
      }),
  );
};

/** Only newer clients know these. */
export const roomAndUserReportingRoutes: Routes<ReportingContext> = (app, { db, clock }) => {
  app.post(
    '/rooms/:roomId/report',
    { schema: reportRoom, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      if (!(await findRoom(db, params.roomId))) throw notFound('Room does not exist');
      await insertRoomReport(db, {
        receivedTs: clock.now(),
        roomId: params.roomId,
        userId: requester.userId,
        reason: body.reason,
      });
      return {};
    },
  );

  app.post(
    '/users/:userId/report',
    { schema: reportUser, config: { policy: reporting } },
    async ({ params, body, requester }) => {
      if (body.reason.length > maximumReason) {
        throw badJson(`Reason must be less than ${maximumReason} characters`);
      }
      await inTransaction(db, async (tx) => {
        // Nobody learns this way which users there are: whoever is unknown can be reported, too.
        if (!(await findUser(tx, params.userId))) return;
        await insertUserReport(tx, {
          receivedTs: clock.now(),
          targetUserId: params.userId,
          userId: requester.userId,
          reason: body.reason,
        });
      });
      return {};
    },
  );
};
