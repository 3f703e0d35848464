/** The joined and left rooms of a sync: timelines, state and summaries. */
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import { eventTest, roomTest } from '../rooms/events/event-filter.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import type { RecentEvents } from './recent-events.ts';
import { lazyMembers, readStates, type SentMembers } from './room-state.ts';
import { type RoomSummary, summarizeRooms } from './summary-store.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';
import { listAfterwards, type RoomView, readTimelines } from './timelines.ts';
import { lastKnownIn, type RoomUpdate } from './updated-rooms.ts';

/** A joined or left room. */
export type ShownRoom = {
  update: RoomUpdate;
  timeline: ClientEvent[];
  /** The timeline as stored, for `event_format: federation`. */
  storedTimeline: StoredEvent[];
  limited: boolean;
  /** Position before the first event of the timeline. */
  start: number;
  state: ClientEvent[];
  storedState: StoredEvent[];
  summary: RoomSummary | undefined;
};

/** Common context of the rooms of a sync. */
type Shared = {
  upTo: StreamPositions;
  /** All rooms of the sync. */
  updates: readonly RoomUpdate[];
  /** Users whose messages are omitted. */
  ignored: ReadonlySet<string>;
  recent: RecentEvents | undefined;
};

const defaultLimit = 10;
const maxLimit = 1_000;

/** Returns a function that reads some of the rooms. Call it once for each room. */
export function createRoomReader(
  context: SyncContext,
  request: SyncRequest,
  shared: Shared,
): (updates: readonly RoomUpdate[]) => Promise<ShownRoom[]> {
  const { lazy_load_members: isLazy, include_redundant_members: isRedundant } =
    request.filter.room?.state ?? {};
  const sent =
    shared.updates.length > 0 && isLazy && !isRedundant ? sentMembersOf(context, request) : undefined;
  return (updates) => readRooms(context, request, shared, sent, updates);
}

function sentMembersOf({ sentMembers }: SyncContext, { requester, since }: SyncRequest): SentMembers {
  const device = `${requester.userId} ${requester.deviceId}`;
  const sent = (since && sentMembers.get(device)) ?? new Map();
  sentMembers.set(device, sent);
  return sent;
}

async function readRooms(
  { db, clock }: SyncContext,
  { requester, filter, since, stateAfter }: SyncRequest,
  { upTo, updates: all, ignored, recent }: Shared,
  sent: SentMembers | undefined,
  updates: readonly RoomUpdate[],
): Promise<ShownRoom[]> {
  const { userId } = requester;
  const { timeline: timelineFilter, state: stateFilter } = filter.room ?? {};
  const hasTimeline = roomTest(timelineFilter) ?? (() => true);
  const timelines = await readTimelines(
    db,
    userId,
    updates.filter(({ roomId }) => hasTimeline(roomId)),
    {
      limit: Math.min(timelineFilter?.limit ?? defaultLimit, maxLimit),
      test: eventTest(timelineFilter),
      stateAfter,
      ignored,
      recent,
      rooms: all.length,
    },
  );
  const afterwards = await listAfterwards(
    db,
    updates.filter(({ roomId }) => !timelines.has(roomId)),
  );
  const isLazy = stateFilter?.lazy_load_members ?? false;
  const views = updates.map((update): RoomView => {
    const timeline = timelines.get(update.roomId) ?? {
      ...{ events: [], limited: false, leftOut: [], movesMembers: true, start: update.upTo },
      afterwards: afterwards.get(update.roomId)?.event,
    };
    return { update, timeline, heroes: [] };
  });
  const summaries = isLazy
    ? await summarizeRooms(
        db,
        userId,
        views.filter(membersMayHaveChanged).map(({ update }) => update.roomId),
      )
    : new Map<string, RoomSummary>();
  const hasState = roomTest(stateFilter) ?? (() => true);
  const states = await readStates(
    db,
    userId,
    views
      .filter(({ update }) => hasState(update.roomId))
      .map((view) => ({ ...view, heroes: summaries.get(view.update.roomId)?.heroes ?? [] })),
    {
      test: eventTest(stateFilter),
      after: stateAfter,
      lazy: isLazy ? lazyMembers(sent, { after: since?.events, upTo: upTo.events }) : undefined,
    },
  );

  const stored = views.map(({ update, timeline }) => ({
    timeline: timeline.events,
    state: (states.get(update.roomId) ?? []).map((event) => ({ event })),
  }));
  const served = await serveEvents(
    db,
    stored.flatMap(({ timeline, state }) => [...timeline, ...state]),
    {
      requester,
      now: clock.now(),
      upTo: lastKnownIn(updates),
      mayBeRelated: relatedIn(recent),
    },
  );
  let next = 0;
  return views.flatMap(({ update, timeline }, index) => {
    const own = stored[index] ?? { timeline: [], state: [] };
    const events = served.slice(next, next + own.timeline.length);
    next += own.timeline.length;
    const state = served.slice(next, next + own.state.length);
    next += own.state.length;
    // Omits rooms that the filter leaves empty, except new ones and gaps.
    const isEmpty = events.length + state.length === 0 && !timeline.limited;
    if (!update.full && update.section === 'join' && isEmpty) return [];
    return {
      update,
      timeline: events,
      storedTimeline: own.timeline.map(({ event }) => event),
      limited: timeline.limited,
      start: timeline.start,
      state,
      storedState: own.state.map(({ event }) => event),
      summary: summaries.get(update.roomId),
    };
  });
}

/** Saves a query: relations of a recent event are recent as well. */
const relatedIn =
  (recent: RecentEvents | undefined) =>
  ({ eventId, streamOrdering }: StoredEvent): boolean =>
    recent === undefined || streamOrdering <= recent.after || recent.parents.has(eventId);

const membersMayHaveChanged = ({ update, timeline }: RoomView) => update.full || timeline.movesMembers;
