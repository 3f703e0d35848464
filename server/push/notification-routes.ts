import { getNotifications } from '../../shared/api/pushers.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { serveEvents } from '../rooms/client-event.ts';
import { findEndsOfStays } from '../rooms/stay-store.ts';
import { pageOfNotifications } from './notifications.ts';

/** The longest page. */
const most = 500;

export const notificationRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  app.get(
    '/notifications',
    { schema: getNotifications, config: { policy: user } },
    async ({ query, requester }) => {
      const { notifications, next } = await pageOfNotifications(db, requester.userId, {
        before: query.from === undefined ? undefined : placeIn(query.from),
        limit: Math.min(query.limit, most),
        onlyHighlights: query.only === 'highlight',
      });
      const ends = await findEndsOfStays(
        db,
        requester.userId,
        notifications.map(({ roomId }) => roomId),
      );
      const reader = { requester, now: clock.now(), upTo: (roomId: string) => ends.get(roomId) };
      const events = await serveEvents(db, notifications, reader);
      return {
        notifications: notifications.map(({ actions, roomId, read, event }, index) => ({
          actions: [...actions],
          event: { ...events[index] },
          read,
          room_id: roomId,
          ts: event.pdu.origin_server_ts,
        })),
        ...(next !== undefined && { next_token: String(next) }),
      };
    },
  );
};

/** @throws MatrixError 400 */
function placeIn(token: string): number {
  if (/^\d{1,15}$/.test(token)) return Number(token);
  throw new MatrixError(400, 'M_UNKNOWN', 'Query parameter "from" contains unrecognised token');
}
