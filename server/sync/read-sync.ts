/** What a sync shows: everything that concerns a user between two places. */
import type { ClientEvent } from '../../shared/api/events.ts';
import type { Filter } from '../../shared/api/filters.ts';
import { ignoredUsers } from '../accounts/ignored-users.ts';
import type { Clock } from '../core/clock.ts';
import { breathe } from '../core/event-loop-turns.ts';
import type { Requester } from '../core/requester.ts';
import type { Places } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { readUnreadCounts, type UnreadRoom } from '../push/unread-counts.ts';
import { serveEvents } from '../rooms/client-event.ts';
import { eventTest, roomTest } from '../rooms/event-filter.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { lazyMembers, type SentMembersCache } from './lazy-members.ts';
import { readParts, type SyncParts } from './parts.ts';
import type { ReadRecentEvents, RecentEvents } from './recent-events.ts';
import { readStates } from './room-states.ts';
import type { BumpStamps } from './sliding-list-store.ts';
import { readStrippedRooms, type StrippedRoom } from './stripped-rooms.ts';
import { type RoomSummary, summarizeRooms } from './summary-store.ts';
import { listAfterwards, type RoomView, readTimelines } from './timelines.ts';
import { lastKnownIn, type RoomUpdate, type Span, updatedRooms } from './updated-rooms.ts';

export type SyncContext = {
  db: Database;
  clock: Clock;
  sentMembers: SentMembersCache;
  bumpStamps: BumpStamps;
  readRecentEvents: ReadRecentEvents;
};

export type SyncQuestion = {
  requester: Requester;
  filter: Filter;
  /** Where the last sync ended; undefined for the first one. */
  since: Places | undefined;
  /** All state of all rooms that the user is in. */
  fullState: boolean;
  /** The state at the end of the timelines, instead of that at their beginning. */
  stateAfter: boolean;
};

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

export type SyncAnswer = {
  rooms: ShownRoom[];
  stripped: StrippedRoom[];
  parts: SyncParts;
  /** By room, of those that are shown and that the user is in. */
  unread: ReadonlyMap<string, UnreadRoom>;
};

const defaultLimit = 10;
const maximumLimit = 1_000;

/** @param upTo everything up to there is settled */
export async function readSync(
  context: SyncContext,
  question: SyncQuestion,
  upTo: Places,
): Promise<SyncAnswer> {
  const { db } = context;
  const { requester, filter, since, fullState } = question;
  const { userId } = requester;
  const isQuiet = !fullState && since !== undefined && since.events >= upTo.events;
  const span = { after: since?.events, upTo: upTo.events };
  const recent = isQuiet || fullState ? undefined : await readRecent(context, span);
  const updates = isQuiet
    ? []
    : await updatedRooms(
        db,
        userId,
        span,
        {
          fullState: fullState && since !== undefined,
          includeLeave: filter.room?.include_leave ?? false,
          room: roomTest(filter.room),
        },
        recent,
      );
  const ignored = updates.length > 0 ? await ignoredUsers(db, userId) : new Set<string>();
  const shown = updates.filter(({ section }) => section === 'join' || section === 'leave');
  const rooms = shown.length > 0 ? await readRooms(context, question, upTo, shown, ignored, recent) : [];
  const stripped = await readStrippedRooms(
    db,
    { requester, now: context.clock.now() },
    updates.filter(({ section }) => section === 'invite' || section === 'knock'),
    ignored,
  );
  const parts = await readParts(context, question, upTo, updates, {
    mayHaveMoved: recent?.movesMembers ?? true,
  });
  const joined = new Set([...parts.roomAccountData.keys(), ...parts.ephemeral.keys()]);
  for (const { update } of rooms) if (update.section === 'join') joined.add(update.roomId);
  const unread = joined.size > 0 ? await readUnreadCounts(db, { userId, roomIds: [...joined] }) : new Map();
  return { rooms, stripped, parts, unread };
}

type Recent = RecentEvents & { after: number; upTo: number };

async function readRecent(
  { readRecentEvents }: SyncContext,
  { after, upTo }: Span,
): Promise<Recent | undefined> {
  const found = after === undefined ? undefined : await readRecentEvents({ after, upTo });
  return found && after !== undefined ? { ...found, after, upTo } : undefined;
}

async function readRooms(
  { db, clock, sentMembers }: SyncContext,
  { requester, filter, since, stateAfter }: SyncQuestion,
  upTo: Places,
  updates: readonly RoomUpdate[],
  ignored: ReadonlySet<string>,
  recent: Recent | undefined,
): Promise<ShownRoom[]> {
  const { userId, deviceId } = requester;
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
      rooms: updates.length,
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
  const sent = isLazy && !stateFilter?.include_redundant_members ? rememberedFor() : undefined;
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

  function rememberedFor() {
    const device = `${userId} ${deviceId}`;
    const remembered = (since && sentMembers.get(device)) ?? new Map();
    sentMembers.set(device, remembered);
    return remembered;
  }

  // Of a room with very much state, each of these steps is long enough for a turn.
  await breathe();
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
  await breathe();
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
