import { getNotifications, getPushers, setPusher } from '../../../shared/api/notifications.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError, missingParameter } from '../../platform/core/matrix-error.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { findEndsOfStays } from '../rooms/membership/stay-store.ts';
import { listNotifications, type Notification, readPositions } from './notification-list-store.ts';
import { isHighlighted } from './push-rule.ts';
import { deletePusher, listPushers } from './pusher-store.ts';
import { addPusher } from './pushers.ts';

type ListedNotification = Notification & { event: StoredEvent; read: boolean };

/** Stream positions in the first range that is searched for a page; each further one is twice as long. */
const firstRange = 2_000;
/** Rows per query. */
const rowsAtOnce = { first: 100, most: 2_000 };
/** Ranges per page; 40 doublings cover everything unless most of it notifies only others. */
const maxRanges = 40;

/** Returns notifications before a stream position, newest first, and the position before which the next page begins. */
async function pageOfNotifications(
  db: Database,
  userId: string,
  { before, limit, onlyHighlights }: { before: number | undefined; limit: number; onlyHighlights: boolean },
): Promise<{ notifications: ListedNotification[]; next: number | undefined }> {
  const found: Notification[] = [];
  let upTo = before === undefined ? await settledEventPosition(db) : before - 1;
  let length = firstRange;
  let rows = rowsAtOnce.first;
  for (let range = 0; range < maxRanges && upTo > 0 && found.length <= limit; range++) {
    const after = Math.max(0, upTo - length);
    const some = await listNotifications(db, { userId, after, upTo, direction: 'b', limit: rows });
    found.push(...some.notifications.filter(({ actions }) => !onlyHighlights || isHighlighted(actions)));
    upTo = some.reached - 1;
    if (upTo <= after) length *= 2;
    rows = Math.min(rows * 2, rowsAtOnce.most);
  }
  const page = found.slice(0, limit);
  const events = await listEventsAt(
    db,
    page.map(({ position }) => position),
  );
  const isRead = await readPositions(
    db,
    userId,
    page.map(({ roomId }) => roomId),
  );
  const notifications = page.flatMap((notification) => {
    const event = events.find(({ streamOrdering }) => streamOrdering === notification.position);
    if (!event || event.purged || event.redactedBy !== null) return [];
    const read = isRead(notification.roomId, notification.threadId) >= notification.position;
    return [{ ...notification, event, read }];
  });
  const unseen = upTo > 0 ? upTo + 1 : undefined;
  return { notifications, next: found.length > limit ? page.at(-1)?.position : unseen };
}

const maxLimit = 500;

export const notificationRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  app.get(
    '/notifications',
    { schema: getNotifications, config: { policy: user } },
    async ({ query, requester }) => {
      const { notifications, next } = await pageOfNotifications(db, requester.userId, {
        before: query.from === undefined ? undefined : parseToken(query.from),
        limit: Math.min(query.limit, maxLimit),
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
function parseToken(token: string): number {
  if (/^\d{1,15}$/.test(token)) return Number(token);
  throw new MatrixError(400, 'M_UNKNOWN', 'Query parameter "from" contains unrecognised token');
}

const changes: UserPolicy = { ...user, limits: [{ of: 'accountData', by: 'user' }] };

export const pusherRoutes: Routes<{ db: Database; clock: Clock }> = (app, context) => {
  const { db } = context;

  app.get('/pushers', { schema: getPushers, config: { policy: user } }, async ({ requester }) => ({
    pushers: (await listPushers(db, requester.userId)).map(({ appId, pushkey, content }) => ({
      app_id: appId,
      pushkey,
      kind: 'http',
      app_display_name: content.appDisplayName,
      device_display_name: content.deviceDisplayName,
      profile_tag: content.profileTag,
      lang: content.lang,
      data: content.data,
    })),
  }));

  app.post(
    '/pushers/set',
    { schema: setPusher, config: { policy: changes } },
    async ({ body, requester }) => {
      const { app_id: appId, pushkey } = body;
      if (body.kind === null) {
        await deletePusher(db, { userId: requester.userId, appId, pushkey });
        return {};
      }
      const { app_display_name, device_display_name, lang, data } = body;
      if (app_display_name === undefined) throw missing('app_display_name');
      if (device_display_name === undefined) throw missing('device_display_name');
      if (lang === undefined) throw missing('lang');
      if (data === undefined) throw missing('data');
      await addPusher(context, requester, {
        appId,
        pushkey,
        append: body.append ?? false,
        content: {
          appDisplayName: app_display_name,
          deviceDisplayName: device_display_name,
          profileTag: body.profile_tag ?? '',
          lang,
          data,
        },
      });
      return {};
    },
  );
};

const missing = (name: string) => missingParameter(`Missing params: ['${name}']`);
