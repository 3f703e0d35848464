/** The state that a sync returns besides the timelines: all of it, or only changes. */
import { filterYielding, forEachYielding } from '../../platform/concurrency/yield.ts';
import type { Cache } from '../../platform/core/cache.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { EventTest } from '../rooms/events/event-filter.ts';
import { findEvents, type StoredEvent } from '../rooms/events/event-store.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import { listStateChangesByRoom, listStateEntries, type StateEntry } from './room-events-store.ts';
import type { RoomView } from './timelines.ts';

type StateRules = {
  test: EventTest;
  /** Whether to return the state at the end of the timelines instead of that at their start. */
  after: boolean;
  /** Undefined if all members are returned. */
  lazy: LazyMembers | undefined;
};

/** Returns the state by room ID, oldest first. */
export async function readStates(
  db: Database,
  userId: string,
  views: readonly RoomView[],
  { test, after, lazy }: StateRules,
): Promise<Map<string, StoredEvent[]>> {
  const cuts = new Map(
    views.map(({ update, timeline }) => [update.roomId, after ? update.upTo : timeline.start]),
  );
  const cutOf = (roomId: string) => cuts.get(roomId) ?? 0;
  const states = new Map<string, Map<string, StoredEvent>>(
    [...cuts.keys()].map((roomId) => [roomId, new Map()]),
  );
  const add = (event: StoredEvent) => {
    const { room_id, type, state_key } = event.pdu;
    states.get(room_id)?.set(`${type}\0${state_key}`, event);
  };

  const whole = views.filter(({ update }) => update.full).map(({ update }) => update.roomId);
  const current = await listCurrentState(db, whole, { members: !lazy });
  await forEachYielding(await asItWas(db, current, cutOf), add);

  // With lazy loading, a client may still have members of an earlier stay in a room that it gets in full.
  const stretches = views
    .map(({ update: { roomId, full, after: last, knownUpTo } }) => {
      const known = full ? lazy && knownUpTo : last;
      return { roomId, after: known ?? Number.POSITIVE_INFINITY, upTo: cutOf(roomId) };
    })
    .filter(({ after: from, upTo }) => from < upTo);
  for (const changes of (await listStateChangesByRoom(db, stretches)).values())
    await forEachYielding(changes, add);

  if (lazy) {
    const wanted = lazy.membersToShow(userId, views);
    const members = await asItWas(db, await listStateEntries(db, wanted), cutOf);
    for (const event of lazy.notSentYet(members)) add(event);
  }
  // State events that the timeline filter omits: no later sync returns them.
  for (const { update, timeline } of after ? [] : views) {
    const isShown = ({ streamOrdering, pdu: { type, state_key } }: StoredEvent) =>
      !(lazy && update.full && type === 'm.room.member') ||
      streamOrdering > (update.knownUpTo ?? Number.POSITIVE_INFINITY) ||
      states.get(update.roomId)?.has(`${type}\0${state_key}`);
    await forEachYielding(timeline.leftOut.filter(isShown), add);
  }
  for (const { timeline } of views) {
    const { afterwards, events } = timeline;
    if (afterwards && (after || events.at(-1)?.event !== afterwards)) add(afterwards);
  }
  const shown = new Map<string, StoredEvent[]>();
  for (const [roomId, state] of states) shown.set(roomId, await filtered(state.values(), test));
  return shown;
}

/** Returns the events that pass the filter, oldest first. */
async function filtered(state: Iterable<StoredEvent>, test: EventTest): Promise<StoredEvent[]> {
  const events = await filterYielding(
    state,
    ({ pdu: { type, sender, content } }) => test?.({ type, sender, content }) ?? true,
  );
  return events.sort((one, other) => one.streamOrdering - other.streamOrdering);
}

/** Resolves current state events to those at an earlier position, by the event that each replaced. */
export async function asItWas(
  db: Database,
  events: readonly StoredEvent[],
  cutOf: (roomId: string) => number,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let left = events; left.length > 0; ) {
    const earlier: string[] = [];
    await forEachYielding(left, (event) => {
      const { room_id, unsigned } = event.pdu;
      if (event.streamOrdering <= cutOf(room_id)) found.push(event);
      else if (unsigned.replaces_state) earlier.push(unsigned.replaces_state);
    });
    left = await findEvents(db, earlier);
  }
  return found;
}

type LazyMembers = {
  membersToShow(userId: string, views: readonly RoomView[]): StateEntry[];
  /** Returns those that the client doesn't have, and remembers them as sent. */
  notSentYet(members: readonly StoredEvent[]): StoredEvent[];
};

/**
 * Member events that a device was sent, by room and user, with the position at which that sync ended: a device that
 * returns with an earlier position never got them.
 */
export type SentMembers = Map<string, { eventId: string; endedAt: number }>;
export type SentMembersCache = Cache<string, SentMembers>;

/** Per device. */
const maxRemembered = 2_000;

/**
 * Selects the members that a client needs. Matrix specification, client-server API, "Lazy-loading room members".
 *
 * @param sent undefined to include members again that the client already has
 * @param after where the last sync ended; undefined for an initial sync
 * @param ofMemberEvents whether to include the targets of member events, not only senders
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
        if (sent.size > maxRemembered && !oldest.done) sent.delete(oldest.value);
        return true;
      });
    },
  };
}
