/** What is kept in memory of rooms, to append to them without reading their state again. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Cache, Caches } from '../core/cache.ts';

/** A state event as far as appending needs to know it. */
export type KnownState = { eventId: string; sender: string; content: JsonObject; redacted: boolean };

/** State that was looked up, by type and key; undefined for what the room does not have. */
export type KnownStates = Map<string, KnownState | undefined>;

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
