/** Delivers one pusher's notifications. Push gateway API. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { WorkerContext } from '../../platform/cluster/worker.ts';
import type { Network } from '../../platform/config/outgoing.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type OutgoingReply, sendOutgoing } from '../../platform/http/outgoing.ts';
import { visibleContent } from '../rooms/events/client-event.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import { countInvitations } from '../rooms/membership/membership-store.ts';
import { findRoom } from '../rooms/room-store.ts';
import { findState } from '../rooms/state/room-state-store.ts';
import { listNotifications, type Notification, readPositions } from './notification-list-store.ts';
import type { Action } from './push-rule.ts';
import { dropPusher, findPusher, type Pusher, pausePusher, updatePusher } from './pusher-store.ts';
import { gatewayOf } from './pushers.ts';
import { readUnreadCounts } from './unread-counts.ts';

/**
 * Returns the request body; undefined if the event was redacted or purged, or is older than `notBefore`.
 *
 * @param notBefore milliseconds since the Unix epoch
 */
async function notificationBody(
  db: Database,
  pusher: Pusher,
  { roomId, position, actions }: Notification,
  notBefore: number,
): Promise<string | undefined> {
  const [event] = await listEventsAt(db, [position]);
  if (!event || event.purged || event.redactedBy !== null) return undefined;
  const { pdu, eventId } = event;
  if (pdu.origin_server_ts < notBefore) return undefined;
  const tweaks = tweaksIn(actions);
  const device = deviceOf(pusher);
  const unread = await countUnreadRooms(db, pusher.userId);
  const isUrgent = pdu.type === 'm.room.encrypted' || tweaks.highlight === true || tweaks.sound !== undefined;
  const common = {
    event_id: eventId,
    room_id: roomId,
    counts: { unread },
    prio: isUrgent ? 'high' : 'low',
  };
  if (pusher.content.data.format === 'event_id_only') {
    return JSON.stringify({ notification: { ...common, devices: [device] } });
  }
  const [member] = await findState(db, roomId, [['m.room.member', pdu.sender]]);
  const room = await findRoom(db, roomId);
  return JSON.stringify({
    notification: {
      ...common,
      id: eventId,
      type: pdu.type,
      sender: pdu.sender,
      content: visibleContent(event),
      ...(pdu.type === 'm.room.member' && {
        membership: pdu.content.membership,
        user_is_target: pdu.state_key === pusher.userId,
      }),
      ...namedIf('sender_display_name', member?.pdu.content.displayname),
      ...namedIf('room_name', room?.name),
      ...namedIf('room_alias', room?.canonicalAlias),
      devices: [{ ...device, tweaks }],
    },
  });
}

/** Returns the request body that clears the badge; undefined if anything is unread. */
async function emptyBadge(db: Database, pusher: Pusher): Promise<string | undefined> {
  if ((await countUnreadRooms(db, pusher.userId)) > 0) return undefined;
  return JSON.stringify({ notification: { counts: { unread: 0 }, devices: [deviceOf(pusher)] } });
}

function deviceOf({ appId, pushkey, createdTs, content }: Pusher) {
  const { url: _, ...data } = content.data;
  return { app_id: appId, pushkey, pushkey_ts: Math.floor(createdTs / 1000), data };
}

const namedIf = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {});

/** Counts rooms with unread messages, and invitations. */
async function countUnreadRooms(db: Database, userId: string): Promise<number> {
  const rooms = [...(await readUnreadCounts(db, { userId })).values()];
  const unread = rooms.filter(({ main, threads }) => main.notifications > 0 || threads.size > 0);
  return unread.length + (await countInvitations(db, userId));
}

function tweaksIn(actions: readonly Action[]): JsonObject {
  const tweaks: JsonObject = {};
  for (const action of actions) {
    if (typeof action !== 'object' || typeof action.set_tweak !== 'string') continue;
    if (action.set_tweak === 'highlight') tweaks.highlight = action.value ?? true;
    else tweaks[action.set_tweak] = action.value;
  }
  return tweaks;
}

export type PushContext = WorkerContext & { config: { callableNetworks: readonly Network[] } };

const notificationsAtOnce = 20;
/** Milliseconds. */
const timeoutMs = 20_000;
/** The pause after the first failure, in milliseconds; each further one is twice as long. */
const firstPause = 1_000;
export const longestPause = 60 * 60_000;
/** Older notifications aren't delivered, in milliseconds. */
const staleAfter = 24 * 60 * 60_000;
/** The position is saved after this many events that don't notify the user. */
const savedEvery = 10_000;

/** Returns when to retry, in milliseconds since the Unix epoch; 0 for no retry. */
export async function deliver(
  context: PushContext,
  pusher: Pusher,
  upTo: number,
  signal: AbortSignal,
  givingUp: AbortSignal,
): Promise<number> {
  const { db } = context;
  let { position, attempts, badged } = pusher;
  for (;;) {
    if (signal.aborted) return 0;
    const range = {
      userId: pusher.userId,
      after: position,
      upTo,
      direction: 'f',
      limit: notificationsAtOnce,
    } as const;
    const { notifications, reached } = await listNotifications(db, range);
    for (const notification of notifications) {
      if (signal.aborted) return 0;
      const outcome = await deliverOne(context, { ...pusher, position, badged }, notification, givingUp);
      if (typeof outcome === 'number') return outcome;
      [position, attempts, badged] = [notification.position, 0, badged || outcome === 'delivered'];
      await updatePusher(db, pusher.id, { position, attempts, retryTs: 0, badged });
    }
    if (reached >= upTo) break;
    position = Math.max(position, reached);
    await updatePusher(db, pusher.id, { position, attempts, retryTs: 0, badged });
  }
  if (badged && !signal.aborted) {
    const body = await emptyBadge(db, pusher);
    const now = body && (await findPusher(db, pusher.id));
    // A failed call is repeated with the next event.
    if (now && (await send(context, now, body, givingUp)) === 'delivered') {
      badged = false;
      await updatePusher(db, pusher.id, { position, attempts, retryTs: 0, badged });
    }
  }
  if (upTo - position > savedEvery) {
    await updatePusher(db, pusher.id, { position: upTo, attempts, retryTs: 0, badged });
  }
  return 0;
}

/**
 * Delivers one notification unless it's obsolete. If that fails, returns when to retry; 0 for no retry.
 */
async function deliverOne(
  context: PushContext,
  { id, position, badged }: Pick<Pusher, 'id' | 'position' | 'badged'>,
  notification: Notification,
  givingUp: AbortSignal,
): Promise<'delivered' | 'nothing' | number> {
  const { db, clock } = context;
  for (;;) {
    // Since the last call the pusher may have been changed or deleted, and the event read.
    const now = await findPusher(db, id);
    if (!now || now.position > position) return 0;
    const isRead = await readPositions(db, now.userId, [notification.roomId]);
    const seen = isRead(notification.roomId, notification.threadId) >= notification.position;
    const body = seen ? undefined : await notificationBody(db, now, notification, clock.now() - staleAfter);
    if (body === undefined) return 'nothing';
    const outcome = await send(context, now, body, givingUp);
    if (outcome === 'delivered') return 'delivered';
    // Aborted, not failed.
    if (outcome === 'failed' && givingUp.aborted) return 0;
    const retryTs =
      outcome === 'failed' ? clock.now() + Math.min(longestPause, firstPause * 2 ** now.attempts) : 0;
    const isTheSame =
      outcome === 'rejected'
        ? await dropPusher(db, now)
        : await pausePusher(db, now, { position, attempts: now.attempts + 1, retryTs, badged });
    // If the pusher has changed during the call, call its new gateway.
    if (isTheSame) return retryTs;
  }
}

async function send(
  { config, log }: PushContext,
  pusher: Pusher,
  body: string,
  signal: AbortSignal,
): Promise<'delivered' | 'rejected' | 'failed'> {
  try {
    const reply = await sendOutgoing(gatewayOf(pusher.content.data), {
      method: 'POST',
      body,
      timeoutMs,
      signal,
      onlyPublicOr: config.callableNetworks,
    });
    if (reply.status < 200 || reply.status > 299) return 'failed';
    return rejects(reply, pusher.pushkey) ? 'rejected' : 'delivered';
  } catch (err) {
    log.info({ err }, `push: couldn't reach the push gateway of ${pusher.userId}:`);
    return 'failed';
  }
}

/** Whether the gateway rejects the push key. */
function rejects({ body }: OutgoingReply, pushkey: string): boolean {
  try {
    const { rejected } = readJson(body) as { rejected?: unknown };
    return Array.isArray(rejected) && rejected.includes(pushkey);
  } catch {
    return false;
  }
}
