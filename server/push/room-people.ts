/**
 * Who is in a room and by which name, as far as push rules ask: kept in memory, and read on from where it was. Each
 * process has its own; who appends to a room holds it, so that what was read then is all there is.
 */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Cache } from '../core/cache.ts';
import { breathe } from '../core/event-loop-turns.ts';
import { localpartOf } from '../core/identifiers.ts';
import { builtOnce } from '../database/built-once.ts';
import type { Database } from '../database/schema.ts';
import type { OpenRoom } from '../rooms/open-room.ts';
import { containsWords, type SearchedText } from './text-match.ts';

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

const rowsAtOnce = 500;

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
    if (people.last !== undefined && !(await isAt(db, people.last, people.upTo))) people = nobody();
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

/** Whether an event is at a place. */
async function isAt(db: Database, eventId: string, place: number): Promise<boolean> {
  const { rows } = await selectPlace(db, { eventId });
  return rows[0]?.place === place;
}

const selectPlace = builtOnce((db, { eventId }: { eventId: string }) =>
  db.selectFrom('events').select('stream_ordering as place').where('event_id', '=', eventId),
);

async function readOn(db: Database, people: RoomPeople, roomId: string, before: number): Promise<void> {
  for (;;) {
    const { rows } = await selectMembers(db, { roomId, after: people.upTo, before, limit: rowsAtOnce });
    for (const { user_id, membership, content, place, last } of rows) {
      people.upTo = place;
      people.last = last;
      forget(people, user_id);
      if (membership === 'join') remember(people, user_id, nameIn(content));
    }
    if (rows.length < rowsAtOnce) return;
    await breathe();
  }
}

const selectMembers = builtOnce(
  (db, { roomId, after, before, limit }: { roomId: string; after: number; before: number; limit: number }) =>
    db
      .selectFrom('memberships')
      .innerJoin('events', 'events.stream_ordering', 'memberships.stream_ordering')
      .select([
        'memberships.user_id',
        'memberships.membership',
        'memberships.stream_ordering as place',
        'events.event_id as last',
        'events.json as content',
      ])
      .where('memberships.room_id', '=', roomId)
      .where('memberships.stream_ordering', '>', after)
      .where('memberships.stream_ordering', '<', before)
      .orderBy('memberships.stream_ordering')
      .limit(limit),
);

function nameIn(json: string): string | undefined {
  const { content } = JSON.parse(json) as { content: JsonObject };
  return typeof content.displayname === 'string' ? content.displayname : undefined;
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
