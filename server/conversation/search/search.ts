/** Message search. Client-server API, "Server Side Search". */
import type { RoomEventFilter } from '../../../shared/api/sync.ts';
import { isObject } from '../../../shared/is-object.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { wordsAsWritten, wordsOf } from '../../platform/core/words.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleEvents } from '../rooms/access.ts';
import { type ServedEvent, visibleContent } from '../rooms/events/client-event.ts';
import { eventTest, roomTest } from '../rooms/events/event-filter.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { findEdits } from '../rooms/relations/aggregation-store.ts';
import { keyOfType, searchableText } from './index-events.ts';
import { hitTest, matchesQuery, parseQuery, type Query, rankOf } from './query.ts';
import type { SearchCursor, SearchGroup, SearchOrder } from './search-cursor.ts';
import { findMatches, listReadableRooms } from './search-index-store.ts';

type MessageSearch = {
  term: string;
  /** Keys to search, such as `content.body`; all if undefined. */
  keys: readonly string[] | undefined;
  filter: RoomEventFilter;
  order: SearchOrder;
  limit: number;
  /** Whether `nextOf` will be called. */
  isGrouped: boolean;
  /** Undefined for the first page. */
  from: SearchCursor | undefined;
};

type FoundMessage = { event: StoredEvent; served: ServedEvent; rank: number };

export type MessagePage = {
  found: FoundMessage[];
  /** The searched rooms, with the stream position of the user's join. */
  rooms: ReadonlyMap<string, number>;
  /** Number of results; an estimate if there are very many. */
  total: number;
  /** Matched words as spelled in the results. */
  highlights: string[];
  /** The next page; undefined on the last one. */
  next: SearchCursor | undefined;
  /** Returns the next page of a group. */
  nextOf(group: SearchGroup): SearchCursor | undefined;
};

/** The newest matches of the index are examined and sorted in windows of this size, newest window first. */
const candidates = 500;
/** Limit of the count. */
const counted = 2_000;

/** Windows per page: matches of the index may turn out not to match. */
const maxWindows = 10;

/** Returns a page of matching messages that the user may see. */
export async function searchMessages(
  db: Database,
  userId: string,
  search: MessageSearch,
): Promise<MessagePage> {
  const query = parseQuery(search.term);
  let page = await onePage(db, userId, query, search);
  for (let windows = 1; page.found.length === 0 && page.next && windows < maxWindows; windows++) {
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
  // The first page also returns the total.
  const positions = await findMatches(db, query, {
    roomIds,
    before,
    after,
    limit: from ? candidates : counted,
  });
  const inWindow = positions.slice(0, candidates);
  const isCut = inWindow.length === candidates;
  const texts = new Map<string, string>();
  const found: FoundMessage[] = [];
  const test = eventTest(filter);
  const isHit = hitTest(query);
  const examine = async (some: readonly number[]) => {
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
      if (matchesQuery(query, words)) found.push({ event, served, rank: rankOf(words, isHit) });
    }
  };
  // By recency, and without a total or groups, the newest few are enough.
  const isAnyEnough = order === 'recent' && !isGrouped && (from !== undefined || isCut);
  const few = isAnyEnough ? 2 * (skipped + limit) : inWindow.length;
  await examine(inWindow.slice(0, few));
  if (found.length <= skipped + limit) await examine(inWindow.slice(few));
  found.sort((one, other) =>
    order === 'rank' && one.rank !== other.rank
      ? other.rank - one.rank
      : other.event.streamOrdering - one.event.streamOrdering,
  );
  const shown = found.slice(0, skipped + limit);
  const page = shown.slice(skipped);
  const oldest = inWindow.at(-1);
  const total = from?.total ?? (isCut ? positions.length : found.length);
  // Later pages search the same window, so new messages don't shift results.
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
    highlights: await wordsAsWritten(
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

/** Returns texts by event ID, with the newest edit applied. */
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

/** Returns those events that the user may see. @param rooms joined rooms, with the stream position of the join */
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
    // Saves reading the history visibility.
    if (inRoom.every(({ streamOrdering }) => streamOrdering > since)) {
      visible.push(...inRoom.map((event) => ({ event, membership: 'join' })));
    } else {
      visible.push(...(await visibleEvents(db, roomId, userId, inRoom, { peeking: false })));
    }
  }
  return visible;
}
