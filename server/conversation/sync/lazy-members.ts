/**
 * Members of rooms are shown when something of them is. Matrix specification, client-server API, "Lazy-loading room
 * members".
 */
import type { Cache } from '../../platform/core/cache.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import type { StatePiece } from './room-events-store.ts';
import type { RoomView } from './timelines.ts';

export type LazyMembers = {
  membersToShow(userId: string, views: readonly RoomView[]): StatePiece[];
  /** Those that the client has not been sent, and takes note that they are sent now. */
  notSentYet(members: readonly StoredEvent[]): StoredEvent[];
};

/**
 * Which member events a device was sent: the event's identifier by room and user, and where the sync ended that it
 * was in. What a reply holds that never arrived is sent again.
 */
export type SentMembers = Map<string, { eventId: string; endedAt: number }>;
export type SentMembersCache = Cache<string, SentMembers>;

/** How many members are remembered for a device. */
const maximumRemembered = 2_000;

/**
 * @param sent what the device was sent, if that is to be left out
 * @param after where the last sync ended that the device has got; undefined where it has got nothing
 * @param upTo where this one ends
 * @param ofMemberEvents whether those are shown, too, whom others make come and go, and not only who does something
 */
export function lazyMembers(
  sent: SentMembers | undefined,
  {
    after,
    upTo,
    ofMemberEvents = false,
  }: { after: number | undefined; upTo: number; ofMemberEvents?: boolean },
): LazyMembers {
  const fullRooms = new Set<string>();
  return {
    membersToShow(userId, views) {
      return views.flatMap(({ update: { roomId, full }, timeline, heroes }) => {
        const users = new Set(
          timeline.events.flatMap(({ event: { pdu } }) =>
            ofMemberEvents && pdu.type === 'm.room.member' ? [pdu.sender, pdu.state_key ?? ''] : pdu.sender,
          ),
        );
        for (const hero of heroes) users.add(hero);
        if (full) {
          users.add(userId);
          fullRooms.add(roomId);
        }
        return [...users].map((stateKey) => ({ roomId, type: 'm.room.member', stateKey }));
      });
    },
    notSentYet(members) {
      if (!sent) return [...members];
      return members.filter(({ eventId, pdu: { room_id, state_key } }) => {
        const key = `${room_id} ${state_key}`;
        const known = sent.get(key);
        const hasArrived = known?.eventId === eventId && after !== undefined && known.endedAt <= after;
        if (hasArrived && !fullRooms.has(room_id)) return false;
        sent.delete(key);
        sent.set(key, { eventId, endedAt: upTo });
        const oldest = sent.keys().next();
        if (sent.size > maximumRemembered && !oldest.done) sent.delete(oldest.value);
        return true;
      });
    },
  };
}
