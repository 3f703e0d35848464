/**
 * Rooms with staged events: their current state, in memory, and the writes that are pending. `stageEvent` fills one,
 * `saveRoom` writes it.
 */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { MediaAddress } from '../../../identity/media/media-address.ts';
import { insertRoomMedia } from '../../../identity/media/room-media-store.ts';
import { chunks } from '../../../platform/concurrency/yield.ts';
import type { Cache, Caches } from '../../../platform/core/cache.ts';
import { forbidden } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { setMemberships } from '../membership/membership-store.ts';
import type { Relation } from '../relations/relation.ts';
import { deleteRelation, insertRelation } from '../relations/relation-store.ts';
import { lockRoom, type RoomChange, type RoomRecord, updateRoom } from '../room-store.ts';
import { redactedSummaryOf, summaryOf } from '../room-summary.ts';
import { findStateIds, type StateKey, setState as setStateRows } from '../state/room-state-store.ts';
import { findEvents, insertEvents, markRedacted, type NewEvent } from './event-store.ts';

export type LoadedState = { eventId: string; sender: string; content: JsonObject; redacted: boolean };

/** By type and state key; undefined for state that the room doesn't have. */
type LoadedStates = Map<string, LoadedState | undefined>;

export type RoomMemory = {
  /** Immutable parts of state events, by event ID. */
  stateEvents: Cache<string, { sender: string; content: JsonObject }>;
  /**
   * Loaded state by room, valid while the room's head is this event: an event ID covers everything before it, so the
   * same head means the same state, whichever process appended.
   */
  atHead: Cache<string, { headEventId: string | null; state: LoadedStates }>;
};

/** Characters of JSON that count as one cache entry. */
const charactersPerEvent = 1_000;
const charactersPerRoom = 8_000;

export const createRoomMemory = ({ cache }: Pick<Caches, 'cache'>): RoomMemory => ({
  stateEvents: cache('getEvent', 10_000, ({ content }) => entries(lengthOf(content), charactersPerEvent)),
  atHead: cache('room_state_at_head', 500, ({ state }) => entries(lengthOfAll(state), charactersPerRoom)),
});

const entries = (length: number, ofOne: number) => Math.max(1, Math.ceil(length / ofOne));

function lengthOfAll(states: LoadedStates): number {
  let length = 0;
  for (const [key, state] of states) length += key.length + (state ? lengthOf(state.content) : 0);
  return length;
}

/** A room's state is put into the cache after each append, mostly with the same contents. */
const lengths = new WeakMap<JsonObject, number>();

function lengthOf(content: JsonObject): number {
  const length = lengths.get(content) ?? JSON.stringify(content).length;
  lengths.set(content, length);
  return length;
}

/** Collected per event, written in few statements. */
export type PendingWrites = {
  events: (NewEvent & { media: readonly MediaAddress[]; relation: Relation | undefined })[];
  /** By type and state key. */
  state: Map<string, { key: StateKey; eventId: string }>;
  /** By user ID. */
  memberships: Map<string, { membership: string; eventId: string }>;
  redactions: { eventId: string; redactedBy: string }[];
};

const noWrites = (): PendingWrites => ({
  events: [],
  state: new Map(),
  memberships: new Map(),
  redactions: [],
});

/**
 * A room while events are appended to it: its head, the state loaded so far, and the pending writes. It lives as long as
 * the transaction that holds the room's lock.
 */
export type OpenRoom = {
  /** The transaction that holds the room's lock; for a room that isn't created yet, any connection. */
  db: Database;
  roomId: string;
  headEventId: string | null;
  headDepth: number;
  joinedMembers: number;
  stateEvents: number;
  /** The stored room; undefined for one that isn't created yet. */
  before: RoomRecord | undefined;
  state: LoadedStates;
  /** The alias that a room gets when it's created. */
  newAlias?: string | undefined;
  memory: RoomMemory;
  /** Changes of the room's own row. */
  change: RoomChange;
  writes: PendingWrites;
};

/** A room's state is kept in memory only up to this many entries. */
const maximumKept = 50;

/** Locks the room. @throws MatrixError 403 for an unknown room */
export async function openRoom(
  tx: Tx,
  memory: RoomMemory,
  roomId: string,
): Promise<OpenRoom & { before: RoomRecord }> {
  const before = await lockRoom(tx, roomId);
  if (!before) throw forbidden('Unknown room');
  const { headEventId, headDepth, joinedMembers, stateEvents } = before;
  const last = memory.atHead.get(roomId);
  // This transaction changes the map, and puts it back when everything is written.
  memory.atHead.delete(roomId);
  const head = { headEventId, headDepth, joinedMembers, stateEvents };
  return {
    db: tx,
    roomId,
    ...head,
    before,
    state: last && headEventId !== null && last.headEventId === headEventId ? last.state : new Map(),
    memory,
    change: {},
    writes: noWrites(),
  };
}

/** Opens a room that isn't created yet. */
export function openNewRoom(
  db: Database,
  memory: RoomMemory,
  { roomId, newAlias }: Pick<OpenRoom, 'roomId' | 'newAlias'>,
): OpenRoom {
  const head = { headEventId: null, headDepth: 0, joinedMembers: 0, stateEvents: 0 };
  const before = undefined;
  return {
    db,
    roomId,
    newAlias,
    ...head,
    before,
    state: new Map(),
    memory,
    change: {},
    writes: noWrites(),
  };
}

/** Writes the staged events and updates the room's row. Returns the events' stream positions by event ID. */
export async function saveRoom(
  tx: Tx,
  room: OpenRoom & { before: RoomRecord },
): Promise<Map<string, number>> {
  const { before, change, headEventId, headDepth, joinedMembers, stateEvents } = room;
  const positions = await writeStaged(tx, room);
  await updateRoom(tx, before, {
    ...change,
    headEventId,
    headDepth,
    // Both are indexed: leave unchanged ones out of the update.
    ...(joinedMembers !== before.joinedMembers && { joinedMembers }),
    ...(stateEvents !== before.stateEvents && { stateEvents }),
  });
  if (room.state.size <= maximumKept) room.memory.atHead.set(room.roomId, { headEventId, state: room.state });
  return positions;
}

/** Rows per statement: a few milliseconds of work. */
const rowsAtOnce = 50;

/**
 * Writes the staged events with their state, memberships, relations and redactions, but not the room's own row. Returns
 * the events' stream positions by event ID.
 */
export async function writeStaged(
  tx: Tx,
  { roomId, writes }: Pick<OpenRoom, 'roomId' | 'writes'>,
): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const chunk of chunks(writes.events, rowsAtOnce)) {
    for (const [eventId, position] of await insertEvents(tx, chunk)) positions.set(eventId, position);
  }
  const positionOf = (eventId: string) => positions.get(eventId) ?? 0;
  for (const { event, media, relation } of writes.events) {
    const { eventId, pdu } = event;
    const streamOrdering = positionOf(eventId);
    if (media.length > 0) await insertRoomMedia(tx, roomId, streamOrdering, media);
    if (relation) {
      const { sender, type } = pdu;
      await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
    }
  }
  for (const chunk of distinctChunks([...writes.state.values()], ({ key }) => key.join())) {
    await setStateRows(tx, roomId, chunk);
  }
  for (const chunk of distinctChunks([...writes.memberships], ([userId]) => userId)) {
    const memberships = chunk.map(([userId, { membership, eventId }]) => ({
      userId,
      membership,
      streamOrdering: positionOf(eventId),
    }));
    await setMemberships(tx, roomId, memberships);
  }
  for (const { eventId, redactedBy } of writes.redactions) {
    await markRedacted(tx, eventId, redactedBy);
    await deleteRelation(tx, eventId);
  }
  return positions;
}

/**
 * Splits rows so that no statement writes one row twice: PostgreSQL drops NUL from texts, so two keys that contain it may
 * become one. Those get a statement each.
 */
function* distinctChunks<Item>(items: readonly Item[], keyOf: (item: Item) => string): Generator<Item[]> {
  const hasNul = (item: Item) => keyOf(item).includes('\0');
  yield* chunks(
    items.filter((item) => !hasNul(item)),
    rowsAtOnce,
  );
  yield* chunks(items.filter(hasNul), 1);
}

/** Loads these entries of the room's state, unless they are loaded. */
export async function loadState(room: OpenRoom, keys: StateKey[]): Promise<void> {
  const { db, roomId, state, memory } = room;
  const missing = keys.filter((key) => !state.has(keyOf(key)));
  if (missing.length === 0) return;
  const current = room.before ? await findStateIds(db, roomId, missing) : [];
  const events = new Map(current.map(({ eventId }) => [eventId, memory.stateEvents.get(eventId)]));
  const unread = [...events.keys()].filter((eventId) => !events.get(eventId));
  for (const { eventId, pdu } of await findEvents(db, unread)) {
    const event = { sender: pdu.sender, content: pdu.content };
    events.set(eventId, event);
    memory.stateEvents.set(eventId, event);
  }
  for (const key of missing) state.set(keyOf(key), undefined);
  for (const { key, eventId, redactedBy } of current) {
    const event = events.get(eventId);
    if (event) state.set(keyOf(key), { eventId, ...event, redacted: redactedBy !== null });
  }
}

/** Returns loaded state. */
export const getState = ({ state }: OpenRoom, key: StateKey): LoadedState | undefined =>
  state.get(keyOf(key));

/** Makes an event the room's current state. Load that state first. */
export function setState(room: OpenRoom, key: StateKey, state: LoadedState): void {
  if (!getState(room, key)) room.stateEvents++;
  room.state.set(keyOf(key), state);
  Object.assign(room.change, summaryOf(key, state.content));
  room.writes.state.set(keyOf(key), { key, eventId: state.eventId });
}

/** Marks an event as redacted if it is the room's current state. */
export async function setRedacted(room: OpenRoom, key: StateKey, eventId: string): Promise<void> {
  await loadState(room, [key]);
  const current = getState(room, key);
  if (current?.eventId !== eventId) return;
  room.state.set(keyOf(key), { ...current, redacted: true });
  Object.assign(room.change, redactedSummaryOf(key));
}

const keyOf = ([type, stateKey]: StateKey) => `${type}\0${stateKey}`;
