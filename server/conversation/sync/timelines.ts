/** Timelines: the newest events of each room that the user may see. */
import { filterYielding } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import { hideErased, isVisible, type VisibleEvent } from '../rooms/access.ts';
import type { EventTest } from '../rooms/events/event-filter.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { type Change, listOwnHistory, listVisibilities } from './membership-changes-store.ts';
import type { RecentEvents } from './recent-events.ts';
import { listNewest } from './room-events-store.ts';
import type { RoomUpdate } from './updated-rooms.ts';

export type Timeline = {
  /** Oldest first. */
  events: VisibleEvent[];
  /** Whether there are more events between the last sync and the first of these. */
  limited: boolean;
  /** Position before the first of these events; without any, the end of the interval. */
  start: number;
  /** State events after `start` that the filter omits, oldest first. */
  leftOut: StoredEvent[];
  /** A later membership event of the user, even if it is the last of these events. */
  afterwards: StoredEvent | undefined;
  /** Whether memberships may have changed. */
  movesMembers: boolean;
};

/** A room with its timeline and heroes. */
export type RoomView = { update: RoomUpdate; timeline: Timeline; heroes: readonly string[] };

type TimelineRules = {
  limit: number;
  test: EventTest;
  /** Whether the response has the state at the end of timelines, so that omitted state events don't matter. */
  stateAfter: boolean;
  /** Users whose messages are omitted. */
  ignored: ReadonlySet<string>;
  /** Events that have already been read. */
  recent?: RecentEvents | undefined;
  /** Number of rooms in the response, which share its maximum size. */
  rooms: number;
};

/** In characters of events, shared among the rooms of a response; each has a minimum. */
const maxSize = 4_000_000;
const minShare = 16_000;

/** With a filter, the number of events to scan per room. */
const maxScanned = 100;

export async function readTimelines(
  db: Database,
  userId: string,
  updates: readonly RoomUpdate[],
  { limit, test, stateAfter, ignored, recent, rooms }: TimelineRules,
): Promise<Map<string, Timeline>> {
  const isNarrow = test !== undefined || ignored.size > 0;
  const size = isNarrow ? Math.max(limit + 1, maxScanned) : limit + 1;
  const share = Math.max(maxSize / rooms, minShare);
  const { newest, cut } = await newestOf(db, updates, { limit: size, share }, recent);
  const visible = await visibleInRooms(db, userId, updates, newest);
  const afterwards = await listAfterwards(db, updates);
  const timelines = new Map<string, Timeline>();
  const isWanted = ({ pdu: { type, sender, content, state_key } }: StoredEvent) =>
    (state_key !== undefined || !ignored.has(sender)) && (test?.({ type, sender, content }) ?? true);
  for (const { roomId, upTo, isNew = false } of updates) {
    const found = newest.get(roomId) ?? [];
    const later = afterwards.get(roomId);
    const known = [...(visible.get(roomId) ?? []), ...(later ? [later] : [])];
    const shown = await filterYielding(known, ({ event }) => isWanted(event));
    const wanted = new Set(shown);
    const unshown = test
      ? known.filter((each) => !wanted.has(each) && isState(each.event)).map(({ event }) => event)
      : [];
    const last = limit === 0 ? [] : shown.slice(-limit);
    const events = stateAfter ? last : behindReplaced(last, unshown);
    const isCut = shown.length > events.length || found.length === size || cut.has(roomId);
    const first = events[0]?.event.streamOrdering ?? upTo + 1;
    const start = Math.min(first - 1, upTo);
    const leftOut = unshown.filter(({ streamOrdering }) => streamOrdering > start);
    const movesMembers = isCut || found.some(({ pdu: { type } }) => type === 'm.room.member');
    const limited = isNew || isCut;
    timelines.set(roomId, { events, limited, start, leftOut, movesMembers, afterwards: later?.event });
  }
  return timelines;
}

/** Returns the user's later membership events, by room ID. */
export async function listAfterwards(
  db: Database,
  updates: readonly RoomUpdate[],
): Promise<Map<string, VisibleEvent>> {
  const positions = updates.flatMap(({ afterwards }) => afterwards ?? []);
  const events = await listEventsAt(db, positions);
  return new Map(
    events.map((event) => [event.pdu.room_id, { event, membership: String(event.pdu.content.membership) }]),
  );
}

const isState = ({ pdu }: StoredEvent) => pdu.state_key !== undefined;
const stateKeyOf = ({ pdu: { type, state_key } }: StoredEvent) => `${type}\0${state_key}`;

/**
 * Drops events up to the last state event that an omitted one has replaced: to clients, state in the timeline is newer
 * than the state beside it. Both lists are oldest first.
 */
function behindReplaced(shown: VisibleEvent[], unshown: readonly StoredEvent[]): VisibleEvent[] {
  const replacing = new Map(unshown.map((event) => [stateKeyOf(event), event.streamOrdering]));
  const last = shown.findLastIndex(
    ({ event }) => isState(event) && event.streamOrdering < (replacing.get(stateKeyOf(event)) ?? 0),
  );
  return shown.slice(last + 1);
}

async function newestOf(
  db: Database,
  updates: readonly RoomUpdate[],
  { limit, share }: { limit: number; share: number },
  recent: TimelineRules['recent'],
): Promise<{ newest: Map<string, StoredEvent[]>; cut: ReadonlySet<string> }> {
  const isRead = ({ after, upTo }: RoomUpdate) => after === recent?.after && upTo === recent.upTo;
  const { newest, cut } = await listNewest(
    db,
    updates.filter((update) => !isRead(update)),
    { limit, share },
  );
  for (const update of updates) {
    const events = isRead(update) && recent?.byRoom.get(update.roomId);
    if (events) newest.set(update.roomId, events.slice(-limit));
  }
  return { newest, cut };
}

async function visibleInRooms(
  db: Database,
  userId: string,
  updates: readonly RoomUpdate[],
  events: ReadonlyMap<string, StoredEvent[]>,
): Promise<Map<string, VisibleEvent[]>> {
  const visible = new Map<string, VisibleEvent[]>();
  const doubtful: RoomUpdate[] = [];
  for (const update of updates) {
    const found = events.get(update.roomId) ?? [];
    const first = found[0];
    if (!first) continue;
    if (update.section === 'join' && update.ownPosition <= first.streamOrdering) {
      visible.set(
        update.roomId,
        found.map((event) => ({ event, membership: 'join' })),
      );
    } else doubtful.push(update);
  }
  const roomIds = doubtful.map(({ roomId }) => roomId);
  const upTo = Math.max(0, ...doubtful.map((update) => update.upTo));
  const memberships = await listOwnHistory(db, userId, roomIds, upTo);
  const visibilities = await listVisibilities(db, roomIds, upTo);
  for (const { roomId } of doubtful) {
    const own = memberships.get(roomId) ?? [];
    const rules = visibilities.get(roomId) ?? [];
    const allowed: VisibleEvent[] = [];
    for (const event of events.get(roomId) ?? []) {
      const at = around(own, event.streamOrdering, 'leave');
      const isAllowed = around(rules, event.streamOrdering, 'shared').some((visibility) =>
        at.some((membership) => isVisible(visibility, membership, false)),
      );
      if (isAllowed) allowed.push({ event, membership: at.at(-1) ?? 'leave' });
      // A timeline must not have gaps: state set in one would be missing.
      else allowed.length = 0;
    }
    visible.set(roomId, await hideErased(db, allowed));
  }
  return visible;
}

/** Returns the values at a position; at a change, the values before and after. */
function around(changes: readonly Change[], position: number, unset: string): string[] {
  const index = changes.findLastIndex((change) => change.position <= position);
  const at = changes[index];
  if (!at) return [unset];
  if (at.position < position) return [at.value];
  return [changes[index - 1]?.value ?? unset, at.value];
}
