import { reportRoom, reportUser } from '../../../shared/api/user-reports.ts';
import { badJson, notFound } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { insertRoomReport } from '../../storage/room-reports.ts';
import { findRoom } from '../../storage/rooms.ts';
import { insertUserReport } from '../../storage/user-reports.ts';
import { findUser } from '../../storage/users.ts';

/** The longest reason of a report about a user, in characters. */
const maximumReason = 1000;

/** Reports about whole rooms and about users. */
export const complaintRoutes: Routes = (app, { db, clock }) => {
  app.post(
    '/rooms/:roomId/report',
    { schema: reportRoom, config: { limit: 'reports' } },
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
    { schema: reportUser, config: { limit: 'reports' } },
    async ({ params, body, requester }) => {
      if (body.reason.length > maximumReason) {
        throw badJson(`Reason must be less than ${maximumReason} characters`);
      }
      await db.transaction().execute(async (transaction) => {
        // Nobody learns this way which users there are: whoever is unknown can be reported, too.
        if (!(await findUser(transaction, params.userId))) return;
        await insertUserReport(transaction, {
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
