/** What a user was notified of, as `GET /notifications` shows it. */

import { getNotifications } from '../../../shared/api/pushers.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { findEndsOfStays } from '../rooms/membership/stay-store.ts';
import { listNotifications, type Notification, readPlaces } from './notification-list-store.ts';
import { isHighlighted } from './push-rule.ts';

type ShownNotification = Notification & { event: StoredEvent; read: boolean };

/** How many events are looked through at first for a page. */
const firstStretch = 2_000;
/** How many of what notifies others are looked at with them, at first and at most. */
const lookedAt = { first: 100, most: 2_000 };
/** More stretches than these, each twice as long, hold all there is, unless very much of it doesn't notify the user. */
const mostStretches = 40;

/**
 * Notifications of a user, the newest first, and the place before which the next page begins.
 *
 * @param before the place before which this one begins; at the newest where it is undefined
 */
async function pageOfNotifications(
  db: Database,
  userId: string,
  { before, limit, onlyHighlights }: { before: number | undefined; limit: number; onlyHighlights: boolean },
): Promise<{ notifications: ShownNotification[]; next: number | undefined }> {
  const found: Notification[] = [];
  let upTo = before === undefined ? await settledEventPosition(db) : before - 1;
  let length = firstStretch;
  let rows = lookedAt.first;
  for (let stretch = 0; stretch < mostStretches && upTo > 0 && found.length <= limit; stretch++) {
    const after = Math.max(0, upTo - length);
    const some = await listNotifications(db, { userId, after, upTo, direction: 'b', limit: rows });
    found.push(...some.notifications.filter(({ actions }) => !onlyHighlights || isHighlighted(actions)));
    // A stretch with more than was looked at goes on where that ends.
    upTo = some.reached - 1;
    if (upTo <= after) length *= 2;
    rows = Math.min(rows * 2, lookedAt.most);
  }
  const page = found.slice(0, limit);
  const events = await listEventsAt(
    db,
    page.map(({ place }) => place),
  );
  const isRead = await readPlaces(
    db,
    userId,
    page.map(({ roomId }) => roomId),
  );
  const notifications = page.flatMap((notification) => {
    const event = events.find(({ streamOrdering }) => streamOrdering === notification.place);
    if (!event || event.purged || event.redactedBy !== null) return [];
    const read = isRead(notification.roomId, notification.threadId) >= notification.place;
    return [{ ...notification, event, read }];
  });
  const unseen = upTo > 0 ? upTo + 1 : undefined;
  return { notifications, next: found.length > limit ? page.at(-1)?.place : unseen };
}

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
