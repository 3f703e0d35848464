/**
 * Reads everything that concerns a user between two stream positions. Client-server API, "Syncing". In order:
 *
 * 1. new events of all rooms, if few, shared with other syncs (recent-events.ts);
 * 2. the user's rooms with changes, each with its section and interval (updated-rooms.ts);
 * 3. joined and left rooms (read-rooms.ts): timelines (timelines.ts), member summaries (summary-store.ts), state before or
 *    after the timeline (room-state.ts), then formatting with aggregations (client-event.ts);
 * 4. stripped state of invitations and knocks (stripped-rooms.ts);
 * 5. everything but events, in `readSections`: device lists, account data, to-device messages, presence, typing, receipts;
 * 6. unread counts of joined rooms in the result (unread-counts.ts).
 *
 * sync-routes.ts waits until there is something to read (long-poll.ts), and sync-reply.ts formats the result.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { EventFilter, RoomEventFilter } from '../../../shared/api/sync.ts';
import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import { readAccountDataSince } from '../../identity/account-data/account-data-store.ts';
import { chunks, filterYielding } from '../../platform/concurrency/yield.ts';
import { RawJson } from '../../platform/core/json.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type DeviceListChanges, readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type Inbox, readInbox } from '../encryption/to-device-store.ts';
import { readPushRulesSince } from '../notifications/default-rules.ts';
import { readUnreadCounts, type UnreadRoom } from '../notifications/unread-counts.ts';
import {
  type PresenceRecord,
  readPresenceInRooms,
  readPresenceOfNewcomers,
  readPresenceSince,
} from '../presence/presence-store.ts';
import { type Receipt, readReceiptsSince } from '../receipts/receipt-store.ts';
import { eventTest, type Filtered, roomTest } from '../rooms/events/event-filter.ts';
import { listJoinedRooms } from '../rooms/membership/membership-store.ts';
import { readTyping } from '../typing/typing-store.ts';
import { createRoomReader, type ShownRoom } from './read-rooms.ts';
import { readStrippedRooms, type StrippedRoom } from './stripped-rooms.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';
import { type RoomUpdate, updatedRooms } from './updated-rooms.ts';

export type SyncResult = {
  /** Joined and left rooms, in chunks that may be read on demand: those of an account can exceed the memory. */
  rooms: AsyncIterable<ShownRoom[]> | Iterable<ShownRoom[]>;
  hasRooms: boolean;
  stripped: StrippedRoom[];
  sections: SyncSections;
  /** By room ID, of joined rooms in the result. */
  unread: ReadonlyMap<string, UnreadRoom>;
};

/** The parts of a sync besides events. */
type SyncSections = {
  accountData: RoomData[];
  presence: PresenceRecord[];
  /** By room ID. */
  roomAccountData: Map<string, RoomData[]>;
  ephemeral: Map<string, { type: string; content: JsonObject }[]>;
  inbox: Inbox;
  deviceLists: DeviceListChanges;
};

export type RoomData = { type: string; content: JsonObject | RawJson };
export type EphemeralEvent = { roomId: string; type: string; content: JsonObject };

/** Full rooms may have much state each. */
const fullRoomsAtOnce = 10;

/** @param upTo settled positions */
export async function readSync(
  context: SyncContext,
  request: SyncRequest,
  upTo: StreamPositions,
): Promise<SyncResult> {
  const { db } = context;
  const { requester, filter, since, fullState } = request;
  const { userId } = requester;
  const hasEvents = fullState || since === undefined || since.events < upTo.events;
  const span = { after: since?.events, upTo: upTo.events };
  const recent =
    since && hasEvents && !fullState
      ? await context.readRecentEvents({ after: since.events, upTo: upTo.events })
      : undefined;
  const updates = hasEvents
    ? await updatedRooms(
        db,
        userId,
        span,
        {
          fullState: fullState && since !== undefined,
          includeLeave: filter.room?.include_leave ?? false,
          room: roomTest(filter.room),
        },
        recent,
      )
    : [];
  const ignored = updates.length > 0 ? await ignoredUsers(db, userId) : new Set<string>();
  const shown = updates.filter(({ section }) => section === 'join' || section === 'leave');
  const read = createRoomReader(context, request, { upTo, updates: shown, ignored, recent });
  async function* readInChunks() {
    for (const chunk of chunks(shown, fullRoomsAtOnce)) yield await read(chunk);
  }
  const isIncremental = since !== undefined && !fullState;
  const rooms = isIncremental && shown.length > 0 ? await read(shown) : [];
  const stripped = await readStrippedRooms(
    db,
    { requester, now: context.clock.now() },
    updates.filter(({ section }) => section === 'invite' || section === 'knock'),
    ignored,
  );
  const sections = await readSections(context, request, upTo, updates, recent?.movesMembers ?? true);
  const joined = new Set([...sections.roomAccountData.keys(), ...sections.ephemeral.keys()]);
  for (const { roomId, section } of shown) if (section === 'join') joined.add(roomId);
  const unread = joined.size > 0 ? await readUnreadCounts(db, { userId, roomIds: [...joined] }) : new Map();
  return {
    rooms: isIncremental ? [rooms] : readInChunks(),
    hasRooms: isIncremental ? rooms.length > 0 : shown.length > 0,
    stripped,
    sections,
    unread,
  };
}

/**
 * @param updates all rooms with new events
 * @param mayHaveMoved whether memberships may have changed
 */
async function readSections(
  { db, clock }: SyncContext,
  { requester: { userId, deviceId }, filter, since, fullState }: SyncRequest,
  upTo: StreamPositions,
  updates: readonly RoomUpdate[],
  mayHaveMoved: boolean,
): Promise<SyncSections> {
  const hasChanges = since === undefined || fullState || since.changes < upTo.changes;
  const joined = updates
    .filter(({ section, full }) => section === 'join' && full)
    .map(({ roomId }) => roomId);
  const isNews = since !== undefined && (since.changes < upTo.changes || since.events < upTo.events);
  const deviceLists = isNews
    ? await readDeviceListChanges(db, { userId, after: since, upTo }, { mayHaveMoved })
    : { changed: [], left: [] };
  const newcomers =
    since && !fullState && mayHaveMoved && since.events < upTo.events
      ? await readPresenceOfNewcomers(db, { userId, joinedAfter: since.events, before: since.changes })
      : [];
  if (!hasChanges && joined.length === 0 && newcomers.length === 0) {
    return {
      accountData: [],
      presence: [],
      roomAccountData: new Map(),
      ephemeral: new Map(),
      inbox: { events: [], upTo: upTo.changes },
      deviceLists,
    };
  }

  const after = fullState ? undefined : since?.changes;
  const isIncluded = roomTest(filter.room) ?? (() => true);
  const newRooms = since ? new Set(joined) : new Set<string>();
  const rooms = (since ? await listJoinedRooms(db, userId) : joined).filter(isIncluded);
  const span = { after, upTo: upTo.changes };

  const data = await readAccountDataSince(
    db,
    // A new room's account data may be older.
    { userId, after: newRooms.size > 0 ? undefined : after, upTo: upTo.changes },
    ({ roomId = '', position }) => after === undefined || position > after || newRooms.has(roomId),
  );
  // Account data of other rooms is omitted: clients would take it as a sign of membership.
  const left = updates.filter(({ section }) => section === 'leave').map(({ roomId }) => roomId);
  const ofRoom = new Set([...rooms, ...left]);
  const isShownRoom = roomTest(filter.room?.account_data) ?? (() => true);
  const isPresenceIncluded = testOf(filter.presence);
  return {
    inbox:
      deviceId === null
        ? { events: [], upTo: upTo.changes }
        : await readInbox(db, { userId, deviceId, after: since?.changes ?? 0, upTo: upTo.changes }),
    deviceLists,
    accountData: await filterData(
      [
        ...(await pushRules(db, userId, span)),
        ...data.flatMap(({ roomId, type, content }) => (roomId === undefined ? [{ type, content }] : [])),
      ],
      filter.account_data,
    ),
    roomAccountData: byRoom(
      await filterData(
        data.flatMap(({ roomId, type, content }) =>
          roomId !== undefined && ofRoom.has(roomId) && isShownRoom(roomId)
            ? [{ roomId, type, content }]
            : [],
        ),
        filter.room?.account_data,
      ),
    ),
    presence: await filterYielding(
      [
        ...newcomers,
        ...(after === undefined ? [] : await readPresenceInRooms(db, [...newRooms], after)),
        ...(await readPresenceSince(db, { userId, ...span })),
      ],
      (record) => isPresenceIncluded({ type: 'm.presence', sender: record.userId, content: {} }),
    ),
    ephemeral: await filterByRoom(
      [
        ...typingEvents(await readTyping(db, { roomIds: rooms, after, now: clock.now() })),
        ...receiptEvents([
          ...(await readReceiptsSince(db, {
            userId,
            roomIds: rooms.filter((roomId) => !newRooms.has(roomId)),
            ...span,
          })),
          ...(await readReceiptsSince(db, {
            userId,
            roomIds: [...newRooms].filter(isIncluded),
            after: undefined,
            upTo: upTo.changes,
          })),
        ]),
      ],
      filter.room?.ephemeral,
    ),
  };
}

/** Push rules have a table of their own, but are account data to clients. */
export async function pushRules(
  db: Database,
  userId: string,
  span: { after: number | undefined; upTo: number },
): Promise<{ type: string; content: JsonObject }[]> {
  const content = await readPushRulesSince(db, { userId, ...span });
  return content ? [{ type: 'm.push_rules', content }] : [];
}

const testOf = (filter: EventFilter | undefined): ((event: Filtered) => boolean) =>
  eventTest(filter) ?? (() => true);

async function filterData<Data extends RoomData>(
  data: readonly Data[],
  filter: EventFilter | undefined,
): Promise<Data[]> {
  const test = eventTest(filter);
  if (!test) return [...data];
  return filterYielding(data, (each) => test({ type: each.type, content: contentFor(filter, each) }));
}

/** Parses the content only if the filter depends on it. */
function contentFor(filter: EventFilter & RoomEventFilter = {}, { content }: RoomData): JsonObject {
  if (!(content instanceof RawJson)) return content;
  return filter.contains_url === undefined ? {} : (content.toJSON() as JsonObject);
}

/** Filters events and groups them by room. */
async function filterByRoom<Event extends Filtered & { roomId: string }>(
  events: readonly Event[],
  filter: RoomEventFilter | undefined,
): Promise<Map<string, { type: string; content: JsonObject }[]>> {
  const isRoomIncluded = roomTest(filter) ?? (() => true);
  const isIncluded = testOf(filter);
  return byRoom(await filterYielding(events, (event) => isRoomIncluded(event.roomId) && isIncluded(event)));
}

function byRoom<Content>(
  events: readonly { roomId: string; type: string; content: Content }[],
): Map<string, { type: string; content: Content }[]> {
  const rooms = new Map<string, { type: string; content: Content }[]>();
  for (const { roomId, type, content } of events) {
    const own = rooms.get(roomId);
    if (own) own.push({ type, content });
    else rooms.set(roomId, [{ type, content }]);
  }
  return rooms;
}

export const typingEvents = (rooms: ReadonlyMap<string, string[]>): EphemeralEvent[] =>
  [...rooms].map(([roomId, userIds]) => ({ roomId, type: 'm.typing', content: { user_ids: userIds } }));

/** One event for each room. Matrix specification, client-server API, `m.receipt`. */
export function receiptEvents(receipts: readonly Receipt[]): EphemeralEvent[] {
  const rooms = new Map<string, Record<string, Record<string, Record<string, JsonObject>>>>();
  for (const { roomId, eventId, type, userId, ts, threadId } of receipts) {
    const content = rooms.get(roomId) ?? {};
    rooms.set(roomId, content);
    content[eventId] ??= {};
    content[eventId][type] ??= {};
    content[eventId][type][userId] = { ts, ...(threadId !== undefined && { thread_id: threadId }) };
  }
  return [...rooms].map(([roomId, content]) => ({ roomId, type: 'm.receipt', content }));
}
