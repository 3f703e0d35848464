/** Stored events, by ID. */
import type { Selectable } from 'kysely';
import { readJson } from '../../../../shared/read-json.ts';
import type { RoomVersion } from '../../../../shared/redaction.ts';
import { chunks, mapYielding } from '../../../platform/concurrency/yield.ts';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database, Schema } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { type FinishedEvent, roomIdOf, type SignedPdu } from './event.ts';

export type StoredEvent = {
  eventId: string;
  streamOrdering: number;
  /** As it was sent, even if redacted since. */
  pdu: SignedPdu;
  redactedBy: string | null;
  /** Removed from the history that clients can read. */
  purged: boolean;
  deviceId: string | null;
  transactionId: string | null;
  /** Determines what redaction removes. */
  roomVersion: RoomVersion;
};

/** Transaction ID of a client's request, for deduplication. */
export type SendTransaction = { deviceId: string; transactionId: string };

export type NewEvent = { event: FinishedEvent; transaction: SendTransaction | undefined };

/** Inserts events in order. Returns their stream positions by event ID. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, number>> {
  const values = events.map(({ event: { eventId, pdu, json, roomVersion }, transaction }) => ({
    event_id: eventId,
    room_id: pdu.room_id,
    type: pdu.type,
    state_key: pdu.state_key ?? null,
    sender: pdu.sender,
    origin_server_ts: pdu.origin_server_ts,
    depth: pdu.depth,
    json,
    device_id: transaction?.deviceId ?? null,
    transaction_id: transaction?.transactionId ?? null,
    room_version: roomVersion === '11' ? null : roomVersion,
  }));
  const [first, ...others] = values;
  const rows =
    first && others.length === 0
      ? (await insertEvent(tx, first)).rows
      : await tx.insertInto('events').values(values).returning(['event_id', 'stream_ordering']).execute();
  return new Map(rows.map((row) => [row.event_id, row.stream_ordering]));
}

type EventRow = {
  event_id: string;
  room_id: string;
  type: string;
  state_key: string | null;
  sender: string;
  origin_server_ts: number;
  depth: number;
  json: string;
  device_id: string | null;
  transaction_id: string | null;
  room_version: string | null;
};

const insertEvent = builtOnce((db, event: EventRow) =>
  db
    .insertInto('events')
    .values({
      event_id: event.event_id,
      room_id: event.room_id,
      type: event.type,
      state_key: event.state_key,
      sender: event.sender,
      origin_server_ts: event.origin_server_ts,
      depth: event.depth,
      json: event.json,
      device_id: event.device_id,
      transaction_id: event.transaction_id,
      room_version: event.room_version,
    })
    .returning(['event_id', 'stream_ordering']),
);

export async function findEvent(db: Database, eventId: string): Promise<StoredEvent | undefined> {
  const {
    rows: [row],
  } = await selectEvent(db, { eventId });
  return row && asStoredEvent(row);
}

export async function findEvents(db: Database, eventIds: string[]): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (const chunk of chunks(eventIds, 100)) {
    const rows = await db.selectFrom('events').select(columns).where('event_id', 'in', chunk).execute();
    found.push(...(await mapYielding(rows, asStoredEvent)));
  }
  return found;
}

/** Returns the event that an earlier request with the same transaction ID, room and event type sent. */
export async function findEventOfTransaction(
  db: Database,
  roomId: string,
  { type, sender }: { type: string; sender: string },
  { deviceId, transactionId }: SendTransaction,
): Promise<string | undefined> {
  const { rows } = await selectEventOfTransaction(db, { roomId, sender, deviceId, transactionId, type });
  return rows[0]?.event_id;
}

type TransactionKey = SendTransaction & { roomId: string; sender: string; type: string };

const selectEventOfTransaction = builtOnce(
  (db, { roomId, sender, deviceId, transactionId, type }: TransactionKey) =>
    db
      .selectFrom('events')
      .select('event_id')
      .where('room_id', '=', roomId)
      .where('sender', '=', sender)
      .where('device_id', '=', deviceId)
      .where('transaction_id', '=', transactionId)
      .where('type', '=', type),
);

/** Later redactions of the same event have no effect. */
export async function markRedacted(db: Database, eventId: string, redactedBy: string): Promise<void> {
  await db
    .updateTable('events')
    .set({ redacted_by: redactedBy })
    .where('event_id', '=', eventId)
    .where('redacted_by', 'is', null)
    .execute();
}

export const columns = [
  'events.event_id',
  'events.stream_ordering',
  'events.json',
  'events.redacted_by',
  'events.purged',
  'events.device_id',
  'events.transaction_id',
  'events.room_version',
] as const;

const selectEvent = builtOnce((db, { eventId }: { eventId: string }) =>
  db.selectFrom('events').select(columns).where('event_id', '=', eventId),
);

type Row = Pick<
  Selectable<Schema['events']>,
  | 'event_id'
  | 'stream_ordering'
  | 'json'
  | 'redacted_by'
  | 'purged'
  | 'device_id'
  | 'transaction_id'
  | 'room_version'
>;

/** From room version 12 on, the create event doesn't contain the room ID, which is its hash. */
function pduIn({ event_id, json }: Pick<Row, 'event_id' | 'json'>): SignedPdu {
  const pdu = readJson(json) as SignedPdu;
  pdu.room_id ??= roomIdOf(event_id);
  return pdu;
}

export function asStoredEvent(row: Row): StoredEvent {
  return {
    eventId: row.event_id,
    streamOrdering: row.stream_ordering,
    pdu: pduIn(row),
    redactedBy: row.redacted_by,
    purged: row.purged === 1,
    deviceId: row.device_id,
    transactionId: row.transaction_id,
    roomVersion: (row.room_version ?? '11') as RoomVersion,
  };
}

export type SenderRange = {
  roomId: string;
  sender: string;
  /** Only events before this stream position. */
  before: number;
  /** Only events sent in this period, both ends included, in milliseconds since the Unix epoch. */
  since?: number | undefined;
  until?: number | undefined;
  limit: number;
};

/** Returns the events of a user that can be redacted without changing how the room works, newest first. */
export async function listRedactableEvents(
  db: Database,
  { roomId, sender, before, since, until, limit }: SenderRange,
): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(columns)
    .where('sender', '=', sender)
    .where('room_id', '=', roomId)
    .where('stream_ordering', '<', before)
    .where('type', '!=', 'm.room.redaction')
    .$if(since !== undefined, (query) => query.where('origin_server_ts', '>=', since ?? 0))
    .$if(until !== undefined, (query) => query.where('origin_server_ts', '<=', until ?? 0))
    .where(({ eb, or }) => or([eb('state_key', 'is', null), eb('type', '=', 'm.room.member')]))
    .orderBy('stream_ordering', 'desc')
    .limit(limit)
    .execute();
  return rows.map(asStoredEvent);
}
