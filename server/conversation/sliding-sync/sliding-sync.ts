/** Sliding sync: selects rooms, and returns changes that the client doesn't have yet. MSC4186. */

import type { SlidingRoom } from '../../../shared/api/sliding-sync.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import { listActiveRooms } from '../sync/membership-changes-store.ts';
import type { SyncContext } from '../sync/sync-request.ts';
import type { RoomUpdate } from '../sync/updated-rooms.ts';
import type { RequiredState } from './required-state.ts';
import { createLists, type RequestedRoom, type ShownList } from './sliding-lists.ts';
import { readOwnRooms } from './sliding-own-rooms.ts';
import type { SentRooms } from './sliding-position-store.ts';
import { type ListedUpdate, type SlidingRequest, showRooms } from './sliding-rooms.ts';

/** Index of the required state of a room that the user isn't in. */
const outside = -1;

/** Returns undefined if the client is up to date. */
function updateOf(
  { room, timelineLimit, required }: RequestedRoom,
  { rooms, requiredStates }: SentRooms,
  since: StreamPositions | undefined,
  active: ReadonlySet<string>,
  upTo: StreamPositions,
): ListedUpdate | undefined {
  const { roomId, membership, ownPosition, left } = room;
  const section = membership === 'ban' ? 'leave' : (membership as RoomUpdate['section']);
  const known = since && Object.hasOwn(rooms, roomId) ? rooms[roomId] : undefined;
  // Without a stay in the room, only the end of the invitation is returned.
  const requested = left === 0 ? [] : required;
  const end = section === 'leave' ? left || ownPosition : upTo.events;
  const first = left === 0 ? ownPosition - 1 : 0;
  const later = left && ownPosition > left ? { afterwards: ownPosition } : {};
  const base = {
    roomId,
    section,
    upTo: end,
    ...later,
    ownPosition,
    room,
    required: requested,
    timelineLimit,
  };
  const start = known?.upTo ?? since?.events ?? 0;
  // The client doesn't have events from before the user rejoined.
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

/** Returns the client's state after the response, including missed events of other rooms. */
function sentAfter(
  { rooms, requiredStates }: SentRooms,
  updates: readonly ListedUpdate[],
  active: ReadonlySet<string>,
  since: StreamPositions | undefined,
): { sent: SentRooms; hasMoved: boolean } {
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

export type SlidingResult = {
  lists: Record<string, ShownList>;
  rooms: Record<string, SlidingRoom>;
  /** All requested rooms, changed or not. */
  requested: ReadonlyMap<string, RequestedRoom>;
  /** The client's state after this response. */
  sent: SentRooms;
  /** Whether it differs from its current state. */
  hasMoved: boolean;
  ownTransactions: string[];
};

export async function readSlidingSync(
  context: SyncContext,
  request: SlidingRequest,
  upTo: StreamPositions,
): Promise<SlidingResult> {
  const { db } = context;
  const { requester, body, since, sent } = request;
  const { userId } = requester;
  const own = await readOwnRooms(context, userId, { after: since?.events, upTo: upTo.events });
  const { lists, requested, directRooms } = await createLists(db, userId, body, own, upTo);
  const active = new Set(
    since ? await listActiveRooms(db, userId, { after: since.events, upTo: upTo.events }) : [],
  );
  for (const { roomId, membership, ownPosition, hasChanged } of own.values()) {
    if (since && ((hasChanged && membership === 'join') || ownPosition > since.events)) active.add(roomId);
  }

  const updates = [...requested.values()].flatMap((each) => {
    const update = updateOf(each, sent, since, active, upTo);
    return update ? [update] : [];
  });
  const shown = await showRooms(context, request, updates, upTo, directRooms);
  const after = sentAfter(sent, updates, active, since);
  return { lists, requested, ...shown, ...after };
}
