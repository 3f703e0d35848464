import { reportEvent } from '../../shared/api/rooms.ts';
import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { findVisibleEvent } from '../rooms/access.ts';
import { insertReport } from './event-report-store.ts';

/** What a route declares in which something is reported. */
export const reporting: UserPolicy = { ...user, limits: [{ of: 'reports', by: 'user' }] };

export const reportRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
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
