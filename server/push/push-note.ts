/** What a push gateway is told. Matrix specification, push gateway API. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';
import { visibleContent } from '../rooms/client-event.ts';
import { listEventsAt } from '../rooms/event-order-store.ts';
import { countInvitations } from '../rooms/membership-store.ts';
import { findState } from '../rooms/room-state-store.ts';
import { findRoom } from '../rooms/room-store.ts';
import type { Notification } from './notification-list-store.ts';
import type { Action } from './push-rule.ts';
import type { Pusher } from './pusher-store.ts';
import { readUnreadCounts } from './unread-counts.ts';

/**
 * The body of one notification; undefined where there is nothing to tell any more.
 *
 * @param notBefore of older events nobody is told, in milliseconds since the Unix epoch
 */
export async function noteFor(
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
export async function emptyBadge(db: Database, pusher: Pusher): Promise<string | undefined> {
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
