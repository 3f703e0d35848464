/** Events and changes of the whole server, in stream order. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { mapYielding } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import { asStatus } from '../presence/presence.ts';
import { asStoredEvent, columns, type StoredEvent } from '../rooms/events/event-store.ts';
import { readTyping } from '../typing/typing-store.ts';

/** Limit of a transaction's events, and of its to-device messages, in characters of JSON. */
export const maxCharacters = 1_000_000;

export type Range = { after: number; upTo: number; limit: number };

export async function readEventsAfter(db: Database, { after, upTo, limit }: Range): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(columns)
    .where('stream_ordering', '>', after)
    .where('stream_ordering', '<=', upTo)
    .orderBy('stream_ordering')
    .limit(limit)
    .execute();
  return mapYielding(rows, asStoredEvent);
}

/** A change in the shape of an event. */
type Change = {
  position: number;
  event: JsonObject;
  /** Set if it concerns a room. */
  roomId: string | undefined;
  /** Set if it concerns a user in all rooms. */
  userId: string | undefined;
};

/** Changes, complete up to a position. */
export type Changes = { events: Change[]; reached: number };

/** Reads public receipts, typing notifications and presence. */
export async function readEphemeral(
  db: Database,
  { now, ...range }: Range & { now: number },
): Promise<Changes> {
  const parts = [
    await readReceipts(db, range),
    await readTypingRooms(db, { ...range, now }),
    await readPresence(db, { ...range, now }),
  ];
  const reached = Math.min(...parts.map((part) => part.reached));
  const events = parts
    .flatMap((part) => part.events)
    .filter(({ position }) => position <= reached)
    .sort((left, right) => left.position - right.position);
  return { events, reached };
}

/** A list that the limit cut may lack rows of its last position. */
function endOf<Row extends { stream_id: number }>(rows: readonly Row[], { upTo, limit }: Range): number {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? upTo : last.stream_id - 1;
}

async function readReceipts(db: Database, range: Range): Promise<Changes> {
  const rows = await db
    .selectFrom('receipts')
    .selectAll()
    .where('stream_id', '>', range.after)
    .where('stream_id', '<=', range.upTo)
    .where('receipt_type', '=', 'm.read')
    .orderBy('stream_id')
    .limit(range.limit)
    .execute();
  const events = rows.map((row) => ({
    position: row.stream_id,
    roomId: row.room_id,
    userId: undefined,
    event: {
      type: 'm.receipt',
      room_id: row.room_id,
      content: {
        [row.event_id]: {
          [row.receipt_type]: {
            [row.user_id]: { ts: row.ts, ...(row.thread_id !== '' && { thread_id: row.thread_id }) },
          },
        },
      },
    },
  }));
  return { events, reached: endOf(rows, range) };
}

async function readTypingRooms(db: Database, range: Range & { now: number }): Promise<Changes> {
  const rows = await db
    .selectFrom('typing')
    .select(['room_id', 'stream_id'])
    .where('stream_id', '>', range.after)
    .where('stream_id', '<=', range.upTo)
    .orderBy('stream_id')
    .limit(range.limit)
    .execute();
  const positions = new Map(rows.map((row) => [row.room_id, row.stream_id]));
  const typing = await readTyping(db, { roomIds: [...positions.keys()], after: range.after, now: range.now });
  const events = [...typing].map(([roomId, users]) => ({
    position: positions.get(roomId) ?? range.upTo,
    roomId,
    userId: undefined,
    event: { type: 'm.typing', room_id: roomId, content: { user_ids: users } },
  }));
  return { events, reached: endOf(rows, range) };
}

async function readPresence(db: Database, range: Range & { now: number }): Promise<Changes> {
  const rows = await db
    .selectFrom('presence')
    .selectAll()
    .where('stream_id', '>', range.after)
    .where('stream_id', '<=', range.upTo)
    .orderBy('stream_id')
    .limit(range.limit)
    .execute();
  const events = rows.map((row) => {
    const record = {
      userId: row.user_id,
      presence: row.presence as 'online',
      statusMsg: row.status_msg,
      lastActiveTs: row.last_active_ts,
    };
    const content = asStatus(record, range.now);
    return {
      position: row.stream_id,
      roomId: undefined,
      userId: row.user_id,
      event: { type: 'm.presence', sender: row.user_id, content },
    };
  });
  return { events, reached: endOf(rows, range) };
}

/** Returns the first rows that fit the limit, at least one. */
function fitting<Row extends { content: string }>(rows: readonly Row[]): Row[] {
  let characters = 0;
  const end = rows.findIndex(({ content }, index) => {
    characters += content.length;
    return index > 0 && characters > maxCharacters;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** To-device messages for users that the application service registered. */
export async function readMessagesToDevices(
  db: Database,
  { appServiceId, ...range }: Range & { appServiceId: string },
): Promise<Changes> {
  const messages = db
    .selectFrom('users')
    .innerJoin('to_device_messages as message', 'message.user_id', 'users.user_id')
    .select(['message.user_id', 'message.device_id', 'message.sender', 'message.type'])
    .select(['message.content', 'message.stream_id'])
    .where('users.app_service_id', '=', appServiceId)
    .where('message.stream_id', '>', range.after)
    .orderBy('message.stream_id');
  const found = await messages.where('message.stream_id', '<=', range.upTo).limit(range.limit).execute();
  let rows = fitting(found);
  const isCut = rows.length < found.length;
  let reached = endOf(rows, isCut ? { ...range, limit: rows.length } : range);
  const [first] = rows;
  if (first && reached < first.stream_id) {
    // Earlier builds stored messages to many devices at one position: returned whole, or delivery would stall.
    reached = first.stream_id;
    rows = await messages.where('message.stream_id', '<=', reached).execute();
  }
  const events = rows.map((row) => ({
    position: row.stream_id,
    roomId: undefined,
    userId: row.user_id,
    event: {
      type: row.type,
      sender: row.sender,
      content: readJson(row.content) as JsonObject,
      to_user_id: row.user_id,
      to_device_id: row.device_id,
    },
  }));
  return { events, reached };
}
