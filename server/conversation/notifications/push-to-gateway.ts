/** What a push gateway is told. Matrix specification, push gateway API. */
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
import { listNotifications, type Notification, readPlaces } from './notification-list-store.ts';
import type { Action } from './push-rule.ts';
import { dropPusher, findPusher, type Pusher, pausePusher, updatePusher } from './pusher-store.ts';
import { gatewayOf } from './pushers.ts';
import { readUnreadCounts } from './unread-counts.ts';

/**
 * The body of one notification; undefined where there is nothing to tell any more.
 *
 * @param notBefore of older events nobody is told, in milliseconds since the Unix epoch
 */
async function noteFor(
  db: Database,
  pusher: Pusher,
  { roomId, place, actions }: Notification,
  notBefore: number,
): Promise<string | undefined> {
  const [event] = await listEventsAt(db, [place]);
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

/** What takes a badge away: that nothing is unread; undefined where something is. */
async function emptyBadge(db: Database, pusher: Pusher): Promise<string | undefined> {
  if ((await countUnreadRooms(db, pusher.userId)) > 0) return undefined;
  return JSON.stringify({ notification: { counts: { unread: 0 }, devices: [deviceOf(pusher)] } });
}

function deviceOf({ appId, pushkey, createdTs, content }: Pusher) {
  const { url: _, ...data } = content.data;
  return { app_id: appId, pushkey, pushkey_ts: Math.floor(createdTs / 1000), data };
}

const namedIf = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {});

/** The badge: how many rooms have something unread, invitations among them. */
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

/** What a pusher has not had yet goes to its gateway. Matrix specification, push gateway API. */

export type PushContext = WorkerContext & { config: { callableNetworks: readonly Network[] } };

const notificationsAtOnce = 20;
/** How long a gateway may take, in milliseconds. */
const patience = 20_000;
/** The pause after the first failure, in milliseconds; each further one is twice as long. */
const firstPause = 1_000;
export const longestPause = 60 * 60_000;
/** What could not be delivered in this time is worth nothing any more, in milliseconds. */
const staleAfter = 24 * 60 * 60_000;
/** A pusher that is so many events behind, without one for its user among them, is brought up to date. */
const farBehind = 10_000;

/** Delivers what a pusher has not had yet; gives when to try again, or 0. */
export async function deliver(
  context: PushContext,
  pusher: Pusher,
  upTo: number,
  signal: AbortSignal,
  givingUp: AbortSignal,
): Promise<number> {
  const { db } = context;
  let { place, attempts, badged } = pusher;
  for (;;) {
    if (signal.aborted) return 0;
    const range = {
      userId: pusher.userId,
      after: place,
      upTo,
      direction: 'f',
      limit: notificationsAtOnce,
    } as const;
    const { notifications, reached } = await listNotifications(db, range);
    for (const notification of notifications) {
      if (signal.aborted) return 0;
      const told = await tell(context, { ...pusher, place, badged }, notification, givingUp);
      if (typeof told === 'number') return told;
      [place, attempts, badged] = [notification.place, 0, badged || told === 'delivered'];
      await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
    }
    if (reached >= upTo) break;
    // What notifies others alone is not looked at again.
    place = Math.max(place, reached);
    await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
  }
  if (badged && !signal.aborted) {
    const body = await emptyBadge(db, pusher);
    const now = body && (await findPusher(db, pusher.id));
    // One that doesn't get through goes the next time that something happens.
    if (now && (await send(context, now, body, givingUp)) === 'delivered') {
      badged = false;
      await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
    }
  }
  if (upTo - place > farBehind) {
    await updatePusher(db, pusher.id, { place: upTo, attempts, retryTs: 0, badged });
  }
  return 0;
}

/**
 * Tells a gateway of a notification, where there is something to tell; gives when to try again where it could not be
 * told, and 0 where that is for nobody to try.
 */
async function tell(
  context: PushContext,
  { id, place, badged }: Pick<Pusher, 'id' | 'place' | 'badged'>,
  notification: Notification,
  givingUp: AbortSignal,
): Promise<'delivered' | 'nothing' | number> {
  const { db, clock } = context;
  for (;;) {
    // Gateways are slow: meanwhile somebody may have logged out, or named another one, or have read it.
    const now = await findPusher(db, id);
    if (!now || now.place > place) return 0;
    const isRead = await readPlaces(db, now.userId, [notification.roomId]);
    const seen = isRead(notification.roomId, notification.threadId) >= notification.place;
    const body = seen ? undefined : await noteFor(db, now, notification, clock.now() - staleAfter);
    if (body === undefined) return 'nothing';
    const outcome = await send(context, now, body, givingUp);
    if (outcome === 'delivered') return 'delivered';
    // What was given up says nothing of the gateway.
    if (outcome === 'failed' && givingUp.aborted) return 0;
    const retryTs =
      outcome === 'failed' ? clock.now() + Math.min(longestPause, firstPause * 2 ** now.attempts) : 0;
    const isTheSame =
      outcome === 'rejected'
        ? await dropPusher(db, now)
        : await pausePusher(db, now, { place, attempts: now.attempts + 1, retryTs, badged });
    // What a gateway says is said of no other that has been named meanwhile: that one is told now.
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
      timeoutMs: patience,
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

/** Whether a gateway says that a key is good for nothing any more. */
function rejects({ body }: OutgoingReply, pushkey: string): boolean {
  try {
    const { rejected } = readJson(body) as { rejected?: unknown };
    return Array.isArray(rejected) && rejected.includes(pushkey);
  } catch {
    return false;
  }
}
