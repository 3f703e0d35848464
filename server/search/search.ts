/** Finding messages. Matrix specification, client-server API, "Server Side Search". */
import type { ClientEvent } from '../../shared/api/events.ts';
import type { RoomEventFilter } from '../../shared/api/filters.ts';
import { breathe } from '../core/event-loop-turns.ts';
import { spelledWords, wordsOf } from '../core/words.ts';
import type { Database } from '../database/schema.ts';
import { visibleEvents } from '../rooms/access.ts';
import { type EventReader, type ServedEvent, serveEvents, visibleContent } from '../rooms/client-event.ts';
import { listState } from '../rooms/current-state-store.ts';
import { eventTest, roomTest } from '../rooms/event-filter.ts';
import { listEvents, listEventsAt } from '../rooms/event-order-store.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { findAggregations } from '../rooms/relations/aggregation-store.ts';
import { listMembersAt } from '../rooms/room-state-store.ts';
import { fits, hitTest, parseQuery, type Query, rankOf } from './query.ts';
import { countPlaces, findPlaces, listReadableRooms } from './search-index-store.ts';
import type { SearchGroup, SearchOrder, SearchPlace } from './search-place.ts';
import { keyOfType, searchableText } from './searchable.ts';

export type MessageSearch = {
  term: string;
  /** Which parts of events are searched; all without it. */
  keys: readonly string[] | undefined;
  filter: RoomEventFilter;
  order: SearchOrder;
  limit: number;
  /** Where the page begins; undefined for the first one. */
  from: SearchPlace | undefined;
};

export type FoundMessage = { event: StoredEvent; served: ServedEvent; rank: number };

export type MessagePage = {
  found: FoundMessage[];
  /** How many there are; of very many about that. */
  total: number;
  /** What was looked for, as it stands in what was found. */
  highlights: string[];
  /** Where the next page begins; undefined where there is none. */
  next: SearchPlace | undefined;
  /** Where the next results of one of the page's groups begin. */
  nextOf(group: SearchGroup): SearchPlace | undefined;
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
  { keys, filter, order, limit, from }: MessageSearch,
): Promise<MessagePage> {
  const { before, after, skipped, group } = from ?? { ...firstPlace, group: undefined };
  const rooms = await listReadableRooms(db, userId);
  const isWantedRoom = roomTest(filter) ?? (() => true);
  const roomIds = [...rooms.keys()].filter(
    (roomId) => isWantedRoom(roomId) && (group?.key !== 'room_id' || group.value === roomId),
  );
  const places = await findPlaces(db, query, { roomIds, before, after, limit: candidates });
  const events = (await listEventsAt(db, places)).filter(({ purged }) => !purged);
  const visible = await visibleAmong(db, userId, events, rooms);
  const texts = await currentTexts(db, userId, visible);
  const test = eventTest(filter);
  const isHit = hitTest(query);
  const found: FoundMessage[] = [];
  for (const served of visible) {
    const { event } = served;
    const text = texts.get(event.eventId);
    const key = keyOfType.get(event.pdu.type);
    const isWanted = event.redactedBy === null && (!test || test(event.pdu));
    if (!isWanted || text === undefined || (keys && !keys.includes(key ?? ''))) continue;
    if (group && !isIn(group, event)) continue;
    await breathe();
    const words = wordsOf(text);
    if (fits(query, words)) found.push({ event, served, rank: rankOf(words, isHit) });
  }
  found.sort((one, other) =>
    order === 'rank' && one.rank !== other.rank
      ? other.rank - one.rank
      : other.event.streamOrdering - one.event.streamOrdering,
  );
  const shown = found.slice(0, skipped + limit);
  const page = shown.slice(skipped);
  const oldest = places.at(-1);
  const isCut = places.length === candidates;
  const total =
    from?.total ?? (isCut ? await countPlaces(db, query, { roomIds, limit: counted }) : found.length);
  // New messages change nothing of the order in which pages show the others.
  const window = { before: Math.min(before, (places[0] ?? 0) + 1), after: isCut ? (oldest ?? 1) - 1 : after };
  const placeAfter = (all: FoundMessage[], seen: number, of: SearchGroup | undefined) => {
    if (all.length > seen) return { ...window, skipped: seen, total, group: of };
    const older = isCut ? oldest : after + 1;
    return older === undefined || older <= 1
      ? undefined
      : { before: older, after: 0, skipped: 0, total, group: of };
  };
  return {
    found: page,
    total,
    highlights: [
      ...new Set(page.flatMap(({ event }) => spelledWords(texts.get(event.eventId) ?? '', isHit))),
    ],
    next: placeAfter(found, shown.length, group),
    nextOf(of) {
      const inGroup = (all: FoundMessage[]) => all.filter(({ event }) => isIn(of, event));
      return placeAfter(inGroup(found), inGroup(shown).length, of);
    },
  };
}

const firstPlace = { before: Number.MAX_SAFE_INTEGER, after: 0, skipped: 0 };

const isIn = ({ key, value }: SearchGroup, { pdu }: StoredEvent) => pdu[key] === value;

/** Those that the user may see of events in rooms that they are in, each since the place of an event. */
async function visibleAmong(
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

/** What events say now: what their newest edits do. */
async function currentTexts(
  db: Database,
  userId: string,
  served: readonly ServedEvent[],
): Promise<Map<string, string>> {
  const ids = served.map(({ event }) => event.eventId);
  const aggregations = await findAggregations(db, ids, { userId, upTo: undefined });
  const texts = new Map<string, string>();
  for (const { event } of served) {
    const edited = aggregations.get(event.eventId)?.edit?.pdu.content['m.new_content'];
    const content = isObject(edited) ? edited : visibleContent(event);
    const text = searchableText(event.pdu.type, content);
    if (text !== undefined) texts.set(event.eventId, text);
  }
  return texts;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export type Surroundings = {
  before: ClientEvent[];
  after: ClientEvent[];
  /** The places before the first of them and after the last. */
  start: number;
  end: number;
  /** The member events of those who sent them and the event. */
  members: StoredEvent[];
};

/** What happened around a message that was found. */
export async function surroundingsOf(
  db: Database,
  reader: EventReader,
  { pdu: { room_id: roomId, sender }, streamOrdering: place }: StoredEvent,
  { beforeLimit, afterLimit }: { beforeLimit: number; afterLimit: number },
): Promise<Surroundings> {
  const { userId } = reader.requester;
  const read = async (direction: 'b' | 'f', limit: number) => {
    const range =
      direction === 'b' ? { after: 0, upTo: place - 1 } : { after: place, upTo: Number.MAX_SAFE_INTEGER };
    const events = await listEvents(db, roomId, { ...range, direction, limit });
    return visibleEvents(db, roomId, userId, events, { peeking: false });
  };
  const before = await read('b', beforeLimit);
  const after = await read('f', afterLimit);
  const served = await serveEvents(db, [...before, ...after], reader);
  const end = after.at(-1)?.event.streamOrdering ?? place;
  const senders = new Set([sender, ...served.map((event) => event.sender)]);
  return {
    before: served.slice(0, before.length),
    after: served.slice(before.length),
    start: (before.at(-1)?.event.streamOrdering ?? place) - 1,
    end,
    members: await listMembersAt(db, roomId, [...senders], end),
  };
}

/** The state of the rooms in which something was found. */
export async function statesOf(
  db: Database,
  reader: EventReader,
  roomIds: Iterable<string>,
): Promise<Record<string, ClientEvent[]>> {
  const states: Record<string, ClientEvent[]> = {};
  for (const roomId of roomIds) {
    const state = (await listState(db, roomId)).map((event) => ({ event }));
    states[roomId] = await serveEvents(db, state, reader);
  }
  return states;
}
