/** Finding messages. Matrix specification, client-server API, "Server Side Search". */
import type { RoomEventFilter } from '../../../shared/api/sync.ts';
import { isObject } from '../../../shared/is-object.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { spelledWords, wordsOf } from '../../platform/core/words.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleEvents } from '../rooms/access.ts';
import { type ServedEvent, visibleContent } from '../rooms/events/client-event.ts';
import { eventTest, roomTest } from '../rooms/events/event-filter.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { findEdits } from '../rooms/relations/aggregation-store.ts';
import { keyOfType, searchableText } from './index-events.ts';
import { fits, hitTest, parseQuery, type Query, rankOf } from './query.ts';
import type { SearchCursor, SearchGroup, SearchOrder } from './search-cursor.ts';
import { findMatches, listReadableRooms } from './search-index-store.ts';

type MessageSearch = {
  term: string;
  /** Which parts of events are searched; all without it. */
  keys: readonly string[] | undefined;
  filter: RoomEventFilter;
  order: SearchOrder;
  limit: number;
  /** Whether the page will be asked where its groups go on. */
  isGrouped: boolean;
  /** Where the page begins; undefined for the first one. */
  from: SearchCursor | undefined;
};

type FoundMessage = { event: StoredEvent; served: ServedEvent; rank: number };

export type MessagePage = {
  found: FoundMessage[];
  /** The rooms that were searched, each since the position of an event at which the user is in it. */
  rooms: ReadonlyMap<string, number>;
  /** How many there are; of very many about that. */
  total: number;
  /** What was looked for, as it stands in what was found. */
  highlights: string[];
  /** Where the next page begins; undefined where there is none. */
  next: SearchCursor | undefined;
  /** Where the next results of one of the page's groups begin; of a search that is grouped. */
  nextOf(group: SearchGroup): SearchCursor | undefined;
};

/**
 * So many of the newest messages that hold what is looked for are looked at, and put in order; when pages have shown
 * those, the next older ones are.
 */
const candidates = 500;
/** More messages than these are not counted. */
const counted = 2_000;

/** So many times those are looked at for one page: what the index takes for a find need not be one. */
const looksAtOnce = 10;

/** A page of the messages that a user may see and that fit a search. */
export async function searchMessages(
  db: Database,
  userId: string,
  search: MessageSearch,
): Promise<MessagePage> {
  const query = parseQuery(search.term);
  let page = await onePage(db, userId, query, search);
  for (let looks = 1; page.found.length === 0 && page.next && looks < looksAtOnce; looks++) {
    page = await onePage(db, userId, query, { ...search, from: page.next });
  }
  return page;
}

async function onePage(
  db: Database,
  userId: string,
  query: Query,
  { keys, filter, order, limit, isGrouped, from }: MessageSearch,
): Promise<MessagePage> {
  const { before, after, skipped, group } = from ?? { ...firstPosition, group: undefined };
  const rooms = await listReadableRooms(db, userId);
  const isWantedRoom = roomTest(filter) ?? (() => true);
  const roomIds = [...rooms.keys()].filter(
    (roomId) => isWantedRoom(roomId) && (group?.key !== 'room_id' || group.value === roomId),
  );
  // The first page also says how many there are.
  const positions = await findMatches(db, query, {
    roomIds,
    before,
    after,
    limit: from ? candidates : counted,
  });
  const looked = positions.slice(0, candidates);
  const isCut = looked.length === candidates;
  const texts = new Map<string, string>();
  const found: FoundMessage[] = [];
  const test = eventTest(filter);
  const isHit = hitTest(query);
  const look = async (some: readonly number[]) => {
    const events = (await listEventsAt(db, some)).filter(({ purged }) => !purged);
    const visible = await visibleAmong(db, userId, events, rooms);
    for (const [eventId, text] of await currentTexts(db, visible)) texts.set(eventId, text);
    for (const served of visible) {
      await yieldToEventLoop();
      const { event } = served;
      const text = texts.get(event.eventId);
      const key = keyOfType.get(event.pdu.type);
      const isWanted = event.redactedBy === null && (!test || test(event.pdu));
      if (!isWanted || text === undefined || (keys && !keys.includes(key ?? ''))) continue;
      if (group && !isIn(group, event)) continue;
      const words = wordsOf(text);
      if (fits(query, words)) found.push({ event, served, rank: rankOf(words, isHit) });
    }
  };
  // Where the newest come first and nobody asks for more of the others, a few of them are enough.
  const isAnyEnough = order === 'recent' && !isGrouped && (from !== undefined || isCut);
  const few = isAnyEnough ? 2 * (skipped + limit) : looked.length;
  await look(looked.slice(0, few));
  if (found.length <= skipped + limit) await look(looked.slice(few));
  found.sort((one, other) =>
    order === 'rank' && one.rank !== other.rank
      ? other.rank - one.rank
      : other.event.streamOrdering - one.event.streamOrdering,
  );
  const shown = found.slice(0, skipped + limit);
  const page = shown.slice(skipped);
  const oldest = looked.at(-1);
  const total = from?.total ?? (isCut ? positions.length : found.length);
  // New messages change nothing of the order in which pages show the others.
  const window = {
    before: Math.min(before, (positions[0] ?? 0) + 1),
    after: isCut ? (oldest ?? 1) - 1 : after,
  };
  const cursorAfter = (all: FoundMessage[], seen: number, of: SearchGroup | undefined) => {
    if (all.length > seen) return { ...window, skipped: seen, total, group: of };
    const older = isCut ? oldest : after + 1;
    return older === undefined || older <= 1
      ? undefined
      : { before: older, after: 0, skipped: 0, total, group: of };
  };
  return {
    found: page,
    rooms,
    total,
    highlights: await spelledWords(
      page.map(({ event }) => texts.get(event.eventId) ?? ''),
      isHit,
    ),
    next: cursorAfter(found, shown.length, group),
    nextOf(of) {
      const inGroup = (all: FoundMessage[]) => all.filter(({ event }) => isIn(of, event));
      return cursorAfter(inGroup(found), inGroup(shown).length, of);
    },
  };
}

const firstPosition = { before: Number.MAX_SAFE_INTEGER, after: 0, skipped: 0 };

const isIn = ({ key, value }: SearchGroup, { pdu }: StoredEvent) => pdu[key] === value;

/** What events say now: what their newest edits do. */
async function currentTexts(db: Database, served: readonly ServedEvent[]): Promise<Map<string, string>> {
  const ids = served.map(({ event }) => event.eventId);
  const edits = await findEdits(db, ids);
  const texts = new Map<string, string>();
  for (const { event } of served) {
    const edited = edits.get(event.eventId)?.pdu.content['m.new_content'];
    const content = isObject(edited) ? edited : visibleContent(event);
    const text = searchableText(event.pdu.type, content);
    if (text !== undefined) texts.set(event.eventId, text);
  }
  return texts;
}

/** What a user may see of what was found in their rooms. */

/** Those that the user may see of events in rooms that they are in, each since the position of an event. */
export async function visibleAmong(
  db: Database,
  userId: string,
  events: readonly StoredEvent[],
  rooms: ReadonlyMap<string, number>,
): Promise<ServedEvent[]> {
  const byRoom = Map.groupBy(events, ({ pdu }) => pdu.room_id);
  const visible: ServedEvent[] = [];
  for (const [roomId, inRoom] of byRoom) {
    const since = rooms.get(roomId) ?? Number.MAX_SAFE_INTEGER;
    // Who was in the room at all of them sees them all, whatever the room shows to others.
    if (inRoom.every(({ streamOrdering }) => streamOrdering > since)) {
      visible.push(...inRoom.map((event) => ({ event, membership: 'join' })));
    } else {
      visible.push(...(await visibleEvents(db, roomId, userId, inRoom, { peeking: false })));
    }
  }
  return visible;
}
