/** What is kept in memory of rooms, to append to them without reading their state again. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Cache, Caches } from '../../../platform/core/cache.ts';
import { forbidden } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { lockRoom, type RoomChange, type RoomRecord, updateRoom } from '../room-store.ts';
import { redactedSummaryOf, summaryOf } from '../room-summary.ts';
import { findStateIds, type StateKey } from '../state/room-state-store.ts';
import { findEvents } from './event-store.ts';
import { noWrites, type RoomWrites, writeDown } from './room-writes.ts';

/** A state event as far as appending needs to know it. */
export type KnownState = { eventId: string; sender: string; content: JsonObject; redacted: boolean };

/** State that was looked up, by type and key; undefined for what the room does not have. */
type KnownStates = Map<string, KnownState | undefined>;

export type RoomMemory = {
  /** What state events hold, by event: it never changes, unlike which of them are the state. */
  stateEvents: Cache<string, { sender: string; content: JsonObject }>;
  /**
   * What was known of a room's state, by room, when an event had become its head. It still is so where that is the head:
   * the event's name is a hash of what it follows, so that it tells one history of the room from any other.
   */
  atHead: Cache<string, { headEventId: string | null; known: KnownStates }>;
};

/** As many characters of JSON count as one entry of a cache: a state event is shorter, as a rule, and may be 64 times that. */
const ofOneEvent = 1_000;
const ofOneRoom = 8_000;

/** Enough for the rules of some thousand rooms that are talked in. */
export const createRoomMemory = ({ cache }: Pick<Caches, 'cache'>): RoomMemory => ({
  stateEvents: cache('getEvent', 10_000, ({ content }) => entries(lengthOf(content), ofOneEvent)),
  atHead: cache('room_state_at_head', 500, ({ known }) => entries(lengthOfAll(known), ofOneRoom)),
});

const entries = (length: number, ofOne: number) => Math.max(1, Math.ceil(length / ofOne));

function lengthOfAll(known: KnownStates): number {
  let length = 0;
  for (const [key, state] of known) length += key.length + (state ? lengthOf(state.content) : 0);
  return length;
}

/** Written once: a room's state is kept again with each event that is appended to it. */
const lengths = new WeakMap<JsonObject, number>();

function lengthOf(content: JsonObject): number {
  const length = lengths.get(content) ?? JSON.stringify(content).length;
  lengths.set(content, length);
  return length;
}

/**
 * A room while events are appended to it: its head, as much of its state as was needed so far, and what is to
 * be written down. It lives as long as the transaction that holds the room's lock, and is never kept beyond
 * it; one that is yet to be made is nobody else's, and needs no lock.
 */

export type OpenRoom = {
  /** Where what is not known yet is looked up: the transaction that holds the room, if one does. */
  db: Database;
  roomId: string;
  headEventId: string | null;
  headDepth: number;
  joinedMembers: number;
  stateEvents: number;
  /** The room as it was when it was opened; undefined for one that is yet to be made. */
  before: RoomRecord | undefined;
  known: KnownStates;
  /** What will lead to a room that is yet to be made. */
  newAlias?: string | undefined;
  memory: RoomMemory;
  /** What of the room's own row is to change. */
  change: RoomChange;
  writes: RoomWrites;
};

/** As many pieces of a room's state are kept from one opening to the next. */
const maximumKept = 50;

/** Locks the room. @throws MatrixError 403 where there is none */
export async function openRoom(
  tx: Tx,
  memory: RoomMemory,
  roomId: string,
): Promise<OpenRoom & { before: RoomRecord }> {
  const before = await lockRoom(tx, roomId);
  if (!before) throw forbidden('Unknown room');
  const { headEventId, headDepth, joinedMembers, stateEvents } = before;
  const last = memory.atHead.get(roomId);
  // Whoever has it changes it, and leaves it when all is written down.
  memory.atHead.delete(roomId);
  const head = { headEventId, headDepth, joinedMembers, stateEvents };
  return {
    db: tx,
    roomId,
    ...head,
    before,
    known: last && headEventId !== null && last.headEventId === headEventId ? last.known : new Map(),
    memory,
    change: {},
    writes: noWrites(),
  };
}

/** A room that is yet to be made, without anything in it. */
export function newRoom(
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
    known: new Map(),
    memory,
    change: {},
    writes: noWrites(),
  };
}

/**
 * Writes down what was appended, and where the room's head is now; gives the events' places. The lock ends with the
 * transaction.
 */
export async function closeRoom(
  tx: Tx,
  room: OpenRoom & { before: RoomRecord },
): Promise<Map<string, number>> {
  const { before, change, headEventId, headDepth, joinedMembers, stateEvents } = room;
  const places = await writeDown(tx, room.roomId, room.writes);
  await updateRoom(tx, before, {
    ...change,
    headEventId,
    headDepth,
    // Lists are ordered by these: writing them costs more than comparing them.
    ...(joinedMembers !== before.joinedMembers && { joinedMembers }),
    ...(stateEvents !== before.stateEvents && { stateEvents }),
  });
  if (room.known.size <= maximumKept) room.memory.atHead.set(room.roomId, { headEventId, known: room.known });
  return places;
}

/** Looks up what is not known yet of these pieces of state. */
export async function learnState(room: OpenRoom, keys: StateKey[]): Promise<void> {
  const { db, roomId, known, memory } = room;
  const missing = keys.filter((key) => !known.has(keyOf(key)));
  if (missing.length === 0) return;
  const learn = (found: Iterable<[StateKey, KnownState]>) => {
    for (const key of missing) known.set(keyOf(key), undefined);
    for (const [key, state] of found) known.set(keyOf(key), state);
  };
  if (!room.before) return learn([]);
  const current = await findStateIds(db, roomId, missing);
  const events = new Map(current.map(({ eventId }) => [eventId, memory.stateEvents.get(eventId)]));
  const unread = [...events.keys()].filter((eventId) => !events.get(eventId));
  for (const { eventId, pdu } of await findEvents(db, unread)) {
    const event = { sender: pdu.sender, content: pdu.content };
    events.set(eventId, event);
    memory.stateEvents.set(eventId, event);
  }
  learn(
    current.flatMap(({ key, eventId, redactedBy }): [StateKey, KnownState][] => {
      const event = events.get(eventId);
      return event ? [[key, { eventId, ...event, redacted: redactedBy !== null }]] : [];
    }),
  );
}

/** What was learnt of a piece of state. */
export const knownState = ({ known }: OpenRoom, key: StateKey): KnownState | undefined =>
  known.get(keyOf(key));

/** Makes an event the room's current state. What the state was before has to be known. */
export function rememberState(room: OpenRoom, key: StateKey, state: KnownState): void {
  if (!knownState(room, key)) room.stateEvents++;
  room.known.set(keyOf(key), state);
  Object.assign(room.change, summaryOf(key, state.content));
  room.writes.state.set(keyOf(key), { key, eventId: state.eventId });
}

/** Takes note that an event was redacted that may be the room's current state. */
export async function noteRedaction(room: OpenRoom, key: StateKey, eventId: string): Promise<void> {
  await learnState(room, [key]);
  const current = knownState(room, key);
  if (current?.eventId !== eventId) return;
  room.known.set(keyOf(key), { ...current, redacted: true });
  Object.assign(room.change, redactedSummaryOf(key));
}

const keyOf = ([type, stateKey]: StateKey) => `${type}\0${stateKey}`;
