/**
 * Who is in a room and by which name, as far as push rules ask: kept in memory, and read on from where it was. Each
 * process has its own; who appends to a room holds it, so that what was read then is all there is.
 */

import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Cache } from '../../platform/core/cache.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { OpenRoom } from '../rooms/events/open-room.ts';
import { containsWords, type SearchedText } from './conditions.ts';
import { isEventAt, listMembersBetween } from './room-people-store.ts';

export type RoomPeople = {
  /** The member event that was read last: its place, and its name, which tells one history of the room from another. */
  upTo: number;
  last: string | undefined;
  /** The room's newest event since which nobody has come, gone or been renamed; unknown at first. */
  head: string | null | undefined;
  /** Who is joined, with the names that they have in the room. */
  names: Map<string, string | undefined>;
  /** Who may be meant by a word, in lower case: the first of a name, or the local part of an identifier. */
  byWord: Map<string, Set<string>>;
  /** Whose name has no words in it. */
  wordless: Set<string>;
};

export type RoomPeopleCache = Cache<string, RoomPeople>;

const membersAtOnce = 500;

/**
 * The people of a room that was held and appended to, before a place; of a transaction that adds members, the place
 * where it begins, so that nothing is remembered that may yet be undone.
 */
export async function peopleOf(
  db: Database,
  cache: RoomPeopleCache,
  { roomId, before: opened, headEventId, writes }: OpenRoom,
  before: number,
): Promise<RoomPeople> {
  let people = cache.get(roomId) ?? nobody();
  const isKnown = opened !== undefined && opened.headEventId === people.head;
  if (!isKnown) {
    // What was read in a transaction that came to nothing is no part of the room.
    if (people.last !== undefined && !(await isEventAt(db, people.last, people.upTo))) people = nobody();
    await readOn(db, people, roomId, before);
  }
  people.head = writes.memberships.size === 0 ? headEventId : undefined;
  cache.set(roomId, people);
  return people;
}

const nobody = (): RoomPeople => ({
  upTo: 0,
  last: undefined,
  head: undefined,
  names: new Map(),
  byWord: new Map(),
  wordless: new Set(),
});

async function readOn(db: Database, people: RoomPeople, roomId: string, before: number): Promise<void> {
  for (;;) {
    const members = await listMembersBetween(db, {
      roomId,
      after: people.upTo,
      before,
      limit: membersAtOnce,
    });
    for (const { userId, isJoined, name, place, eventId } of members) {
      people.upTo = place;
      people.last = eventId;
      forget(people, userId);
      if (isJoined) remember(people, userId, name);
    }
    if (members.length < membersAtOnce) return;
    await yieldToEventLoop();
  }
}

/** Whom a text may mean by name, most of whom it doesn't mean. */
export function namedIn({ byWord, wordless, names }: RoomPeople, text: SearchedText): Set<string> {
  const found = new Set<string>();
  for (const word of new Set(text.text.match(words))) {
    for (const userId of byWord.get(word) ?? []) found.add(userId);
  }
  for (const userId of wordless) {
    if (containsWords(text.text, (names.get(userId) ?? '').toLowerCase())) found.add(userId);
  }
  return found;
}

const words = /[\p{L}\p{N}\p{M}\p{Pc}]+/gu;

/** The words that have to stand in a text which names somebody. */
function wordsOf(userId: string, name: string | undefined): string[] {
  const [ofName] = name?.toLowerCase().match(words) ?? [];
  const [ofId] = localpartOf(userId).toLowerCase().match(words) ?? [];
  return [...(ofName === undefined ? [] : [ofName]), ...(ofId === undefined ? [] : [ofId])];
}

function remember(people: RoomPeople, userId: string, name: string | undefined): void {
  people.names.set(userId, name);
  for (const word of wordsOf(userId, name)) {
    const those = people.byWord.get(word) ?? new Set();
    people.byWord.set(word, those.add(userId));
  }
  if (name !== undefined && name !== '' && !name.toLowerCase().match(words)) people.wordless.add(userId);
}

function forget(people: RoomPeople, userId: string): void {
  if (!people.names.has(userId)) return;
  for (const word of wordsOf(userId, people.names.get(userId))) {
    const those = people.byWord.get(word);
    those?.delete(userId);
    if (those?.size === 0) people.byWord.delete(word);
  }
  people.wordless.delete(userId);
  people.names.delete(userId);
}
