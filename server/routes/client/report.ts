import { reportEvent } from '../../../shared/api/rooms.ts';
import { notFound } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { findVisibleEvent } from '../../rooms/access.ts';
import { insertReport } from '../../storage/event-reports.ts';

export const reportRoutes: Routes = (app, { db, clock }) => {
  app.post(
    '/rooms/:roomId/report/:eventId',
    { schema: reportEvent, config: { limit: 'reports' } },
    ({ params, body, requester }) =>
      db.transaction().execute(async (transaction) => {
        const { roomId, eventId } = params;
        const { userId } = requester;
        const visible = await findVisibleEvent(transaction, roomId, userId, eventId);
        if (!visible) {
          throw notFound("Unable to report event: it does not exist or you aren't able to see it.");
        }
        await insertReport(transaction, {
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
