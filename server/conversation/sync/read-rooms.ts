/** What a sync shows of rooms: some at a time, where all of them may be more than there is memory. */
import type { ClientEvent } from '../../../shared/api/events.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import { eventTest, roomTest } from '../rooms/events/event-filter.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { lazyMembers, type SentMembers } from './lazy-members.ts';
import type { RecentEvents } from './recent-events.ts';
import { readStates } from './room-states.ts';
import { stateSizes } from './state-size-store.ts';
import { type RoomSummary, summarizeRooms } from './summary-store.ts';
import type { SyncContext, SyncQuestion } from './sync-question.ts';
import { listAfterwards, type RoomView, readTimelines } from './timelines.ts';
import { lastKnownIn, type RoomUpdate } from './updated-rooms.ts';

/** A room that the user is in, or has left. */
export type ShownRoom = {
  update: RoomUpdate;
  timeline: ClientEvent[];
  /** The same events as they are kept. */
  events: StoredEvent[];
  limited: boolean;
  /** The place before the first event of the timeline. */
  start: number;
  state: ClientEvent[];
  storedState: StoredEvent[];
  summary: RoomSummary | undefined;
};

export type Recent = RecentEvents & { after: number; upTo: number };

/** What is read of all rooms of a reply alike. */
export type Told = {
  upTo: StreamPositions;
  /** All rooms that it tells of. */
  updates: readonly RoomUpdate[];
  /** Whose messages the user doesn't want to see. */
  ignored: ReadonlySet<string>;
  recent: Recent | undefined;
};

const defaultLimit = 10;
const maximumLimit = 1_000;

/** Gives what reads some of the rooms of a reply; no room is to be read twice. */
export function createRoomReading(
  context: SyncContext,
  question: SyncQuestion,
  told: Told,
): (updates: readonly RoomUpdate[]) => Promise<ShownRoom[]> {
  const { lazy_load_members: isLazy, include_redundant_members: isRedundant } =
    question.filter.room?.state ?? {};
  const remembers = told.updates.length > 0 && isLazy && !isRedundant;
  const sent = remembers ? rememberedOf(context, question) : undefined;
  return (updates) => readRooms(context, question, told, sent, updates);
}

function rememberedOf({ sentMembers }: SyncContext, { requester, since }: SyncQuestion): SentMembers {
  const device = `${requester.userId} ${requester.deviceId}`;
  const remembered = (since && sentMembers.get(device)) ?? new Map();
  sentMembers.set(device, remembered);
  return remembered;
}

/** So much state is read at once, and of so many rooms. */
const mostState = 500;
const mostRooms = 50;

/** The rooms in pieces that can be read at once. @param isLazy whether only some of their members are shown */
export async function readablePieces(
  db: Database,
  updates: readonly RoomUpdate[],
  { isLazy }: { isLazy: boolean },
): Promise<RoomUpdate[][]> {
  const ids = updates.map(({ roomId }) => roomId);
  const sizes = await stateSizes(db, ids, { members: !isLazy });
  const pieces: RoomUpdate[][] = [];
  let left = 0;
  for (const update of updates) {
    const size = sizes.get(update.roomId) ?? 0;
    const last = pieces.at(-1);
    if (last && size <= left && last.length < mostRooms) {
      last.push(update);
      left -= size;
    } else {
      pieces.push([update]);
      left = mostState - size;
    }
  }
  return pieces;
}

async function readRooms(
  { db, clock }: SyncContext,
  { requester, filter, since, stateAfter }: SyncQuestion,
  { upTo, updates: all, ignored, recent }: Told,
  sent: SentMembers | undefined,
  updates: readonly RoomUpdate[],
): Promise<ShownRoom[]> {
  const { userId } = requester;
  const { timeline: timelineFilter, state: stateFilter } = filter.room ?? {};
  const ofTimeline = roomTest(timelineFilter) ?? (() => true);
  const timelines = await readTimelines(
    db,
    userId,
    updates.filter(({ roomId }) => ofTimeline(roomId)),
    {
      limit: Math.min(timelineFilter?.limit ?? defaultLimit, maximumLimit),
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
  const ofState = roomTest(stateFilter) ?? (() => true);
  const states = await readStates(
    db,
    userId,
    views
      .filter(({ update }) => ofState(update.roomId))
      .map((view) => ({ ...view, heroes: summaries.get(view.update.roomId)?.heroes ?? [] })),
    {
      test: eventTest(stateFilter),
      after: stateAfter,
      lazy: isLazy ? lazyMembers(sent, { after: since?.events, upTo: upTo.events }) : undefined,
    },
  );

  // Of a room with very much state, each of these steps is long enough for a turn.
  await yieldToEventLoop();
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
  await yieldToEventLoop();
  let next = 0;
  return views.flatMap(({ update, timeline }, index) => {
    const own = stored[index] ?? { timeline: [], state: [] };
    const events = served.slice(next, next + own.timeline.length);
    next += own.timeline.length;
    const state = served.slice(next, next + own.state.length);
    next += own.state.length;
    // What a filter leaves nothing of is not shown, unless the client has to learn of the room, or of a gap.
    const isNothing = events.length + state.length === 0 && !timeline.limited;
    if (!update.full && update.section === 'join' && isNothing) return [];
    return {
      update,
      timeline: events,
      events: own.timeline.map(({ event }) => event),
      limited: timeline.limited,
      start: timeline.start,
      state,
      storedState: own.state.map(({ event }) => event),
      summary: summaries.get(update.roomId),
    };
  });
}

/** What others say of an event comes after it: of one that has just happened most is known. */
const relatedIn =
  (recent: Recent | undefined) =>
  ({ eventId, streamOrdering }: StoredEvent): boolean =>
    recent === undefined || streamOrdering <= recent.after || recent.parents.has(eventId);

const membersMayHaveChanged = ({ update, timeline }: RoomView) => update.full || timeline.movesMembers;
