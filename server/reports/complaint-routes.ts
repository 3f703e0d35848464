import { reportRoom, reportUser } from '../../shared/api/user-reports.ts';
import { findUser } from '../accounts/user-store.ts';
import type { Clock } from '../core/clock.ts';
import { badJson, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Routes } from '../http/routes.ts';
import { findRoom } from '../rooms/room-store.ts';
import { reporting } from './report-routes.ts';
import { insertRoomReport } from './room-report-store.ts';
import { insertUserReport } from './user-report-store.ts';

/** The longest reason of a report about a user, in characters. */
const maximumReason = 1000;

/** Reports about whole rooms and about users. */
export const complaintRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
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
