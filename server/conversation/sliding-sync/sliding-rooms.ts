/** The rooms of a sliding sync response. MSC4186. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { SlidingRoom, SlidingSyncBody } from '../../../shared/api/sliding-sync.ts';
import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { UnreadCount } from '../notifications/unread-count-store.ts';
import { readUnreadCounts, type UnreadRoom } from '../notifications/unread-counts.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listStateChangesByRoom, listStateEntries } from '../sync/room-events-store.ts';
import { asItWas, lazyMembers } from '../sync/room-state.ts';
import { readStrippedRooms } from '../sync/stripped-rooms.ts';
import { type RoomSummary, summarizeRooms } from '../sync/summary-store.ts';
import { asSyncEvent } from '../sync/sync-reply.ts';
import type { SyncContext } from '../sync/sync-request.ts';
import { readTimelines, type Timeline } from '../sync/timelines.ts';
import { lastKnownIn, type RoomUpdate } from '../sync/updated-rooms.ts';
import { isLazy, type RequiredState, readRequiredState, stateTests } from './required-state.ts';
import type { OwnRoom } from './sliding-own-rooms.ts';
import type { SentRooms } from './sliding-position-store.ts';

export type ListedUpdate = RoomUpdate & {
  room: OwnRoom;
  required: RequiredState;
  timelineLimit: number;
  /** Whether the timeline limit was raised. */
  isLonger?: boolean;
  /** Newly required state. */
  addedState: RequiredState;
  /** Later events count as live; undefined on a new connection. */
  liveAfter: number | undefined;
};

export type SlidingRequest = {
  requester: Requester;
  body: SlidingSyncBody;
  /** Undefined for a new connection. */
  since: StreamPositions | undefined;
  sent: SentRooms;
};

/** Returns rooms for the response, and transaction IDs of the client's own events. */
export async function showRooms(
  { db, clock, sentMembers }: SyncContext,
  { requester, body, since }: SlidingRequest,
  updates: readonly ListedUpdate[],
  upTo: StreamPositions,
  directRooms: ReadonlySet<string>,
): Promise<{ rooms: Record<string, SlidingRoom>; ownTransactions: string[] }> {
  if (updates.length === 0) return { rooms: {}, ownTransactions: [] };
  const { userId } = requester;
  const reader = { requester, now: clock.now() };
  const ignored = await ignoredUsers(db, userId);
  const inside = updates.filter(({ section }) => section === 'join' || section === 'leave');
  const timelines = new Map<string, Timeline>();
  for (const [limit, some] of Map.groupBy(inside, ({ timelineLimit }) => timelineLimit)) {
    // A raised limit includes events that the client has.
    const stretches = some.map((update) => (update.isLonger ? { ...update, after: 0 } : update));
    const rules = { limit, test: undefined, stateAfter: true, ignored, rooms: inside.length };
    for (const [roomId, timeline] of await readTimelines(db, userId, stretches, rules)) {
      timelines.set(roomId, timeline);
    }
  }
  // Only members may see the current members.
  const summaries = await summarizeRooms(
    db,
    userId,
    inside.filter(({ section }) => section === 'join').map(({ roomId }) => roomId),
  );
  const device = `${userId} ${requester.deviceId} ${body.conn_id ?? ''} sliding`;
  const remembered = (since && sentMembers.get(device)) ?? new Map();
  sentMembers.set(device, remembered);
  const states = await requiredOf(db, userId, inside, timelines, {
    cut: upTo.events,
    lazy: lazyMembers(remembered, { after: since?.events, upTo: upTo.events, ofMemberEvents: true }),
  });
  const stripped = await readStrippedRooms(
    db,
    reader,
    updates.filter(({ section }) => section === 'invite' || section === 'knock'),
    ignored,
  );
  const unread = await readUnreadCounts(db, { userId, roomIds: inside.map(({ roomId }) => roomId) });
  const heroes = await listStateEntries(
    db,
    [...summaries.values()].flatMap(({ roomId, heroes: users }) =>
      users.map((stateKey) => ({ roomId, type: 'm.room.member', stateKey })),
    ),
  );
  const stored = inside.map(({ roomId }) => ({
    timeline: timelines.get(roomId)?.events ?? [],
    state: (states.get(roomId) ?? []).map((event) => ({ event })),
  }));
  const served = await serveEvents(
    db,
    stored.flatMap(({ timeline, state }) => [...timeline, ...state]),
    { ...reader, upTo: lastKnownIn(inside) },
  );
  const rooms: Record<string, SlidingRoom> = Object.create(null);
  let next = 0;
  for (const [index, update] of inside.entries()) {
    const { timeline: events, state } = stored[index] ?? { timeline: [], state: [] };
    const timeline = served.slice(next, next + events.length);
    next += events.length;
    const shownState = served.slice(next, next + state.length);
    next += state.length;
    rooms[update.roomId] = shownRoom(update, {
      timeline,
      positions: events.map(({ event }) => event.streamOrdering),
      found: timelines.get(update.roomId),
      state: shownState,
      summary: summaries.get(update.roomId),
      heroes: heroes.filter((event) => event.pdu.room_id === update.roomId),
      unread: unread.get(update.roomId),
      isDirect: directRooms.has(update.roomId),
    });
  }
  for (const { roomId, section, events } of stripped) {
    const update = updates.find((each) => each.roomId === roomId);
    if (!update) continue;
    rooms[roomId] = {
      bump_stamp: update.room.bumpStamp,
      ...(update.full && { initial: true }),
      ...(update.room.name !== null && { name: update.room.name }),
      ...(update.room.avatar !== null && { avatar: update.room.avatar }),
      ...(directRooms.has(roomId) && { is_dm: true }),
      membership: section,
      invite_state: events.map((event) => ({
        type: event.type,
        state_key: event.state_key,
        sender: event.sender,
        content: event.content,
      })),
    };
  }
  const ownTransactions = served.flatMap(({ unsigned: { transaction_id: id } }) =>
    typeof id === 'string' ? [id] : [],
  );
  return { rooms, ownTransactions };
}

const isMember = ({ pdu }: StoredEvent) => pdu.type === 'm.room.member';

/** Returns the required state: all of it for new rooms, otherwise changes. */
async function requiredOf(
  db: Database,
  userId: string,
  updates: readonly ListedUpdate[],
  timelines: ReadonlyMap<string, Timeline>,
  { cut, lazy }: { cut: number; lazy: ReturnType<typeof lazyMembers> },
): Promise<Map<string, StoredEvent[]>> {
  const states = new Map<string, Map<string, StoredEvent>>();
  const add = (event: StoredEvent) => {
    const { room_id, type, state_key } = event.pdu;
    const state = states.get(room_id) ?? new Map<string, StoredEvent>();
    states.set(room_id, state.set(`${type}\0${state_key}`, event));
  };
  const ends = new Map(updates.map(({ roomId, upTo }) => [roomId, upTo]));
  const cutOf = (roomId: string) => ends.get(roomId) ?? cut;
  const requests = updates.map(({ roomId, full, required, addedState }) => ({
    roomId,
    required: full ? required : addedState,
  }));
  for (const event of await asItWas(db, await readRequiredState(db, userId, requests), cutOf)) add(event);

  const testOf = stateTests(userId);
  const later = updates.filter(({ full }) => !full);
  for (const [roomId, changes] of await listStateChangesByRoom(db, later)) {
    const required: RequiredState = later.find((update) => update.roomId === roomId)?.required ?? [];
    const test = testOf(required);
    // Without a gap, members that the client has are only sent again if they changed.
    const isKept = isLazy(required) && !timelines.get(roomId)?.limited;
    for (const event of changes) if (test(event.pdu) || (isKept && isMember(event))) add(event);
  }
  const lazyViews = updates
    .filter(({ required }) => isLazy(required))
    .flatMap((update) => {
      const timeline = timelines.get(update.roomId);
      return timeline ? [{ update: { ...update, full: update.full }, timeline, heroes: [] }] : [];
    });
  const members = await asItWas(db, await listStateEntries(db, lazy.membersToShow(userId, lazyViews)), cutOf);
  for (const event of lazy.notSentYet(members)) add(event);
  for (const { roomId, required } of updates) {
    const afterwards = timelines.get(roomId)?.afterwards;
    if (afterwards && testOf(required)(afterwards.pdu)) add(afterwards);
  }
  return new Map(
    [...states].map(([roomId, state]) => [
      roomId,
      [...state.values()].sort((one, other) => one.streamOrdering - other.streamOrdering),
    ]),
  );
}

type RoomContents = {
  timeline: readonly ClientEvent[];
  /** Of the timeline's events. */
  positions: readonly number[];
  found: Timeline | undefined;
  state: readonly ClientEvent[];
  summary: RoomSummary | undefined;
  /** Their member events. */
  heroes: readonly StoredEvent[];
  unread: UnreadRoom | undefined;
  isDirect: boolean;
};

function shownRoom(
  { room, full, isLonger, liveAfter }: ListedUpdate,
  { timeline, positions, found, state, summary, heroes, unread, isDirect }: RoomContents,
): SlidingRoom {
  return {
    bump_stamp: room.bumpStamp,
    notification_count: unreadIn(unread, 'notifications'),
    highlight_count: unreadIn(unread, 'highlights'),
    membership: room.membership,
    ...(full && { initial: true }),
    ...(isLonger && !full && { unstable_expanded_timeline: true }),
    ...(room.name !== null && { name: room.name }),
    ...(room.avatar !== null && { avatar: room.avatar }),
    ...(heroes.length > 0 && { heroes: heroes.map(asHero) }),
    ...(isDirect && { is_dm: true }),
    ...(summary && { joined_count: summary.joinedMembers, invited_count: summary.invitedMembers }),
    timeline: timeline.map(asSyncEvent),
    limited: found?.limited ?? false,
    ...(timeline.length > 0 && { prev_batch: `s${found?.start ?? 0}` }),
    num_live: liveAfter === undefined ? 0 : positions.filter((position) => position > liveAfter).length,
    required_state: state.map(asSyncEvent),
  };
}

/** Including threads. */
const unreadIn = (unread: UnreadRoom | undefined, kind: keyof UnreadCount): number =>
  unread ? [unread.main, ...unread.threads.values()].reduce((sum, count) => sum + count[kind], 0) : 0;

function asHero({ pdu: { state_key, content } }: StoredEvent): JsonObject {
  const { displayname, avatar_url } = content;
  return {
    user_id: state_key,
    ...(typeof displayname === 'string' && { displayname }),
    ...(typeof avatar_url === 'string' && { avatar_url }),
  };
}
