/** What a client of sliding sync is shown: some rooms, each as far as it has not been shown yet. */

import type { SlidingRoom, SlidingSyncBody } from '../../shared/api/sliding-sync.ts';
import { ignoredUsers } from '../accounts/ignored-users.ts';
import type { Requester } from '../core/requester.ts';
import type { Places } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { readUnreadCounts } from '../push/unread-counts.ts';
import { serveEvents } from '../rooms/client-event.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { lazyMembers } from './lazy-members.ts';
import { listActiveRooms } from './membership-changes-store.ts';
import type { SyncContext } from './read-sync.ts';
import { isLazy, type RequiredState, readRequiredState, stateTest } from './required-state.ts';
import { listStateChanges, listStatePieces } from './room-events-store.ts';
import { asItWas } from './room-states.ts';
import { makeLists, readOwnRooms, type ShownList, type WantedRoom } from './sliding-lists.ts';
import type { SentRooms } from './sliding-position-store.ts';
import { type ListedUpdate, shownRoom } from './sliding-room.ts';
import { readStrippedRooms } from './stripped-rooms.ts';
import { summarizeRooms } from './summary-store.ts';
import { readTimelines, type Timeline } from './timelines.ts';
import { lastKnownIn, type RoomUpdate } from './updated-rooms.ts';

export type SlidingQuestion = {
  requester: Requester;
  body: SlidingSyncBody;
  /** Where the connection is; undefined for a new one. */
  since: Places | undefined;
  sent: SentRooms;
};

export type SlidingAnswer = {
  lists: Record<string, ShownList>;
  rooms: Record<string, SlidingRoom>;
  /** All rooms that are to be shown, new or not. */
  wanted: ReadonlyMap<string, WantedRoom>;
  /** What the client has then. */
  sent: SentRooms;
  /** Whether that is something else than it has now. */
  hasMoved: boolean;
  ownTransactions: string[];
};

export async function readSlidingSync(
  context: SyncContext,
  question: SlidingQuestion,
  upTo: Places,
): Promise<SlidingAnswer> {
  const { db } = context;
  const { requester, body, since, sent } = question;
  const { userId } = requester;
  const own = await readOwnRooms(context, userId, { after: since?.events, upTo: upTo.events });
  const { lists, wanted, directRooms } = await makeLists(db, userId, body, own, upTo);
  const active = new Set(
    since ? await listActiveRooms(db, userId, { after: since.events, upTo: upTo.events }) : [],
  );
  for (const { roomId, ownPlace } of own.values()) if (since && ownPlace > since.events) active.add(roomId);

  const updates = [...wanted.values()].flatMap((each) => {
    const update = updateOf(each, sent, since, active, upTo);
    return update ? [update] : [];
  });
  const shown = await showRooms(context, question, updates, upTo, directRooms);
  const after = sentAfter(sent, updates, active, since);
  return { lists, wanted, ...shown, ...after };
}

/** Stands for the required state of a room that the user is not in. */
const outside = -1;

function updateOf(
  { room, timelineLimit, required }: WantedRoom,
  { rooms, requiredStates }: SentRooms,
  since: Places | undefined,
  active: ReadonlySet<string>,
  upTo: Places,
): ListedUpdate | undefined {
  const { roomId, membership, ownPlace, left } = room;
  const section = membership === 'ban' ? 'leave' : (membership as RoomUpdate['section']);
  const known = since && Object.hasOwn(rooms, roomId) ? rooms[roomId] : undefined;
  // Of a room that the user was never in only the end of the invitation is told.
  const wanted = left === 0 ? [] : required;
  const end = section === 'leave' ? left || ownPlace : upTo.events;
  const first = left === 0 ? ownPlace - 1 : 0;
  const base = { roomId, section, upTo: end, ownPlace, room, required: wanted, timelineLimit };
  const start = known?.upTo ?? since?.events ?? 0;
  // What happened in a room while the user was not in it the client doesn't know.
  const hasEntered = membership === 'join' && known?.state === outside;
  if (!known || hasEntered)
    return { ...base, after: first, full: true, liveAfter: since?.events, addedState: [] };

  const before = requiredStates[known.state] ?? [];
  const has = new Set(before.map((pair) => pair.join('\0')));
  const addedState = section === 'join' ? required.filter((pair) => !has.has(pair.join('\0'))) : [];
  const isLonger = section === 'join' && timelineLimit > known.timelineLimit;
  const hasNews = known.upTo === undefined ? active.has(roomId) : known.upTo < end;
  if (!hasNews && !isLonger && addedState.length === 0) return undefined;
  return {
    ...base,
    after: Math.max(start, first),
    full: false,
    isLonger,
    liveAfter: since?.events,
    addedState,
  };
}

async function showRooms(
  { db, clock, sentMembers }: SyncContext,
  { requester, body, since }: SlidingQuestion,
  updates: readonly ListedUpdate[],
  upTo: Places,
  directRooms: ReadonlySet<string>,
): Promise<Pick<SlidingAnswer, 'rooms' | 'ownTransactions'>> {
  if (updates.length === 0) return { rooms: {}, ownTransactions: [] };
  const { userId } = requester;
  const reader = { requester, now: clock.now() };
  const ignored = await ignoredUsers(db, userId);
  const inside = updates.filter(({ section }) => section === 'join' || section === 'leave');
  const timelines = new Map<string, Timeline>();
  for (const [limit, some] of Map.groupBy(inside, ({ timelineLimit }) => timelineLimit)) {
    // A longer timeline than was asked for before begins before what the client has.
    const stretches = some.map((update) => (update.isLonger ? { ...update, after: 0 } : update));
    const rules = { limit, test: undefined, ignored, rooms: inside.length };
    for (const [roomId, timeline] of await readTimelines(db, userId, stretches, rules)) {
      timelines.set(roomId, timeline);
    }
  }
  // Who is in a room now is known to those who are.
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
    lazy: lazyMembers(remembered, { after: since?.events, upTo: upTo.events }),
  });
  const stripped = await readStrippedRooms(
    db,
    reader,
    updates.filter(({ section }) => section === 'invite' || section === 'knock'),
    ignored,
  );
  const unread = await readUnreadCounts(db, { userId, roomIds: inside.map(({ roomId }) => roomId) });
  const heroes = await listStatePieces(
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
      places: events.map(({ event }) => event.streamOrdering),
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

/** The state that is asked for of each room: all of it where the room is new to the client, else what changed. */
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
  const asked = updates.map(({ roomId, full, required, addedState }) => ({
    roomId,
    required: full ? required : addedState,
  }));
  for (const event of await asItWas(db, await readRequiredState(db, userId, asked), cutOf)) add(event);

  const later = updates.filter(({ full }) => !full);
  for (const [roomId, changes] of await listStateChanges(db, later)) {
    const required: RequiredState = later.find((update) => update.roomId === roomId)?.required ?? [];
    const test = stateTest(required, userId);
    for (const event of changes) if (test(event.pdu)) add(event);
  }
  const lazyViews = updates
    .filter(({ required }) => isLazy(required))
    .flatMap((update) => {
      const timeline = timelines.get(update.roomId);
      return timeline ? [{ update: { ...update, full: update.full }, timeline, heroes: [] }] : [];
    });
  const members = await asItWas(db, await listStatePieces(db, lazy.membersToShow(userId, lazyViews)), cutOf);
  for (const event of lazy.notSentYet(members)) add(event);
  return new Map(
    [...states].map(([roomId, state]) => [
      roomId,
      [...state.values()].sort((one, other) => one.streamOrdering - other.streamOrdering),
    ]),
  );
}

/** What the client has after the reply: what it was shown, and of the rest what it has missed from here on. */
function sentAfter(
  { rooms, requiredStates }: SentRooms,
  updates: readonly ListedUpdate[],
  active: ReadonlySet<string>,
  since: Places | undefined,
): Pick<SlidingAnswer, 'sent' | 'hasMoved'> {
  const next: SentRooms = {
    rooms: since ? { ...rooms } : {},
    requiredStates: since ? [...requiredStates] : [],
  };
  let hasMoved = since === undefined;
  const indexes = new Map(next.requiredStates.map((required, index) => [JSON.stringify(required), index]));
  const indexOf = (required: RequiredState): number => {
    const text = JSON.stringify(required);
    const index = indexes.get(text) ?? next.requiredStates.push(required) - 1;
    indexes.set(text, index);
    return index;
  };
  const shown = new Set(updates.map(({ roomId }) => roomId));
  for (const update of updates) {
    const known = Object.hasOwn(next.rooms, update.roomId) ? next.rooms[update.roomId] : undefined;
    const state = update.section === 'join' ? indexOf(update.required) : outside;
    const timelineLimit = Math.max(update.timelineLimit, known?.timelineLimit ?? 0);
    const isSame =
      known?.state === state && known.timelineLimit === timelineLimit && known.upTo === undefined;
    if (isSame) continue;
    next.rooms[update.roomId] = { state, timelineLimit };
    hasMoved = true;
  }
  for (const roomId of active) {
    const known = Object.hasOwn(next.rooms, roomId) ? next.rooms[roomId] : undefined;
    if (!known || shown.has(roomId) || known.upTo !== undefined || !since) continue;
    next.rooms[roomId] = { ...known, upTo: since.events };
    hasMoved = true;
  }
  return { sent: next, hasMoved };
}
