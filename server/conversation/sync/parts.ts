/** What is kept as rows, in the shape of events: who writes, and how far people have read. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { EventFilter, Filter, RoomEventFilter } from '../../../shared/api/filters.ts';
import { readAccountDataSince } from '../../identity/account-data/account-data-store.ts';
import { filterYielding, shouldYield, yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { RawJson } from '../../platform/core/json.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type DeviceListChanges, readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type Inbox, readInbox } from '../encryption/to-device-store.ts';
import { readPushRulesSince } from '../notifications/default-rules.ts';
import { type PresenceRecord, readPresenceInRooms, readPresenceSince } from '../presence/presence-store.ts';
import { type Receipt, readReceiptsSince } from '../receipts/receipt-store.ts';
import { eventTest, type Filtered, roomTest } from '../rooms/events/event-filter.ts';
import { listJoinedRooms } from '../rooms/membership/membership-store.ts';
import { readTyping } from '../typing/typing-store.ts';
import type { RoomUpdate } from './updated-rooms.ts';

export type EphemeralEvent = { roomId: string; type: string; content: JsonObject };

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

/** What a sync shows beside events: each part is read by the feature that keeps it. */

export type RoomData = { type: string; content: JsonObject | RawJson };

export type SyncParts = {
  accountData: RoomData[];
  presence: PresenceRecord[];
  /** By room. */
  roomAccountData: Map<string, RoomData[]>;
  ephemeral: Map<string, { type: string; content: JsonObject }[]>;
  /** Messages to the device, and up to which change it has all of them then. */
  inbox: Inbox;
  deviceLists: DeviceListChanges;
};

type Question = {
  requester: Requester;
  filter: Filter;
  since: StreamPositions | undefined;
  fullState: boolean;
};

/**
 * @param updates the rooms in which something happened, those that are new to the user among them
 * @param mayHaveMoved whether anybody may have come or gone
 */
export async function readParts(
  { db, clock }: { db: Database; clock: Clock },
  { requester: { userId, deviceId }, filter, since, fullState }: Question,
  upTo: StreamPositions,
  updates: readonly RoomUpdate[],
  { mayHaveMoved }: { mayHaveMoved: boolean },
): Promise<SyncParts> {
  const hasChanges = since === undefined || fullState || since.changes < upTo.changes;
  const joined = updates
    .filter(({ section, full }) => section === 'join' && full)
    .map(({ roomId }) => roomId);
  const isNews = since !== undefined && (since.changes < upTo.changes || since.events < upTo.events);
  const deviceLists = isNews
    ? await readDeviceListChanges(db, { userId, after: since, upTo }, { mayHaveMoved })
    : { changed: [], left: [] };
  if (!hasChanges && joined.length === 0) {
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
  const isWanted = roomTest(filter.room) ?? (() => true);
  const newRooms = since ? new Set(joined) : new Set<string>();
  const rooms = (since ? await listJoinedRooms(db, userId) : joined).filter(isWanted);
  const span = { after, upTo: upTo.changes };

  const data = await readAccountDataSince(
    db,
    // Of a room that is new to the client it is shown what was there before.
    { userId, after: newRooms.size > 0 ? undefined : after, upTo: upTo.changes },
    ({ roomId = '', place }) => after === undefined || place > after || newRooms.has(roomId),
  );
  // Of a room that the user is not in a client would take it for a sign that they are.
  const left = updates.filter(({ section }) => section === 'leave').map(({ roomId }) => roomId);
  const ofRoom = new Set([...rooms, ...left]);
  const isShownRoom = roomTest(filter.room?.account_data) ?? (() => true);
  const isWantedPresence = testOf(filter.presence);
  return {
    inbox:
      deviceId === null
        ? { events: [], upTo: upTo.changes }
        : await readInbox(db, { userId, deviceId, after: since?.changes ?? 0, upTo: upTo.changes }),
    deviceLists,
    accountData: await letThrough(
      [
        ...(await pushRules(db, userId, span)),
        ...data.flatMap(({ roomId, type, content }) => (roomId === undefined ? [{ type, content }] : [])),
      ],
      filter.account_data,
    ),
    roomAccountData: byRoom(
      await letThrough(
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
        ...(after === undefined ? [] : await readPresenceInRooms(db, [...newRooms], after)),
        ...(await readPresenceSince(db, { userId, ...span })),
      ],
      (record) => isWantedPresence({ type: 'm.presence', sender: record.userId, content: {} }),
    ),
    ephemeral: await ofRooms(
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
            roomIds: [...newRooms].filter(isWanted),
            after: undefined,
            upTo: upTo.changes,
          })),
        ]),
      ],
      filter.room?.ephemeral,
    ),
  };
}

/** Push rules are kept apart and shown as account data. */
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

/** Account data that a filter lets through. */
async function letThrough<Data extends RoomData>(
  data: readonly Data[],
  filter: EventFilter | undefined,
): Promise<Data[]> {
  const test = eventTest(filter);
  if (!test) return [...data];
  const shown: Data[] = [];
  for (const each of data) {
    if (shouldYield()) await yieldToEventLoop();
    if (test({ type: each.type, content: contentFor(filter, each) })) shown.push(each);
  }
  return shown;
}

/** Parses the content only if the filter depends on it. */
function contentFor(filter: EventFilter & RoomEventFilter = {}, { content }: RoomData): JsonObject {
  if (!(content instanceof RawJson)) return content;
  return filter.contains_url === undefined ? {} : (content.toJSON() as JsonObject);
}

/** What a filter lets through, by room. */
async function ofRooms<Event extends Filtered & { roomId: string }>(
  events: readonly Event[],
  filter: RoomEventFilter | undefined,
): Promise<Map<string, { type: string; content: JsonObject }[]>> {
  const isWantedRoom = roomTest(filter) ?? (() => true);
  const isWanted = testOf(filter);
  return byRoom(await filterYielding(events, (event) => isWantedRoom(event.roomId) && isWanted(event)));
}

function byRoom<Content>(
  events: readonly { roomId: string; type: string; content: Content }[],
): Map<string, { type: string; content: Content }[]> {
  const rooms = new Map<string, { type: string; content: Content }[]>();
  for (const { roomId, type, content } of events) {
    const of = rooms.get(roomId);
    if (of) of.push({ type, content });
    else rooms.set(roomId, [{ type, content }]);
  }
  return rooms;
}
