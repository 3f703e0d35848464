/** Events in order: by stream position or time, of one room or of all. */
import { chunks, forEachYielding, mapYielding } from '../../../platform/concurrency/yield.ts';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from './event-store.ts';

export type HistoryRange = {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  upTo: number;
  /** Oldest first (`f`) or newest first (`b`). */
  direction: 'b' | 'f';
  limit: number;
};

const rowsAtOnce = 50;
const positionsAtOnce = 200;
/** Characters of JSON after which a page ends early. */
const maxCharacters = 4_000_000;

/** Returns a room's events without purged ones. Very large events make the page shorter, but never empty. */
export async function listEvents(
  db: Database,
  roomId: string,
  { after, upTo, direction, limit }: HistoryRange,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let size = 0; events.length < limit && size < maxCharacters; ) {
    const last = events.at(-1)?.streamOrdering;
    const wanted = Math.min(limit - events.length, rowsAtOnce);
    const rows = await db
      .selectFrom('events')
      .select(columns)
      .where('room_id', '=', roomId)
      .where('purged', '=', 0)
      .where('stream_ordering', '>', direction === 'f' ? (last ?? after) : after)
      .where('stream_ordering', '<=', direction === 'b' && last !== undefined ? last - 1 : upTo)
      .orderBy('stream_ordering', direction === 'b' ? 'desc' : 'asc')
      .limit(wanted)
      .execute();
    events.push(...(await mapYielding(rows, asStoredEvent)));
    size += rows.reduce((sum, { json }) => sum + json.length, 0);
    if (rows.length < wanted) break;
  }
  return events;
}

type TimeRange = {
  /** Milliseconds since the Unix epoch. */
  ts: number;
  /** Onwards (`f`) or back (`b`) from that time. */
  dir: 'b' | 'f';
  /** Last position, inclusive. */
  upTo: number;
  /** Last event of the previous page. */
  after?: StoredEvent | undefined;
  limit: number;
};

/** Returns a room's events by `origin_server_ts`, closest to the time first. */
export async function listEventsByTime(
  db: Database,
  roomId: string,
  { ts, dir, upTo, after, limit }: TimeRange,
): Promise<StoredEvent[]> {
  const [inclusive, exclusive, order] =
    dir === 'f' ? (['>=', '>', 'asc'] as const) : (['<=', '<', 'desc'] as const);
  const from = after?.pdu.origin_server_ts ?? ts;
  let query = db
    .selectFrom('events')
    .select(columns)
    .where('room_id', '=', roomId)
    .where('purged', '=', 0)
    .where('origin_server_ts', inclusive, from)
    .where('stream_ordering', '<=', upTo);
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb('origin_server_ts', exclusive, from),
        eb('stream_ordering', exclusive, after.streamOrdering),
      ]),
    );
  }
  const rows = await query
    .orderBy('origin_server_ts', order)
    .orderBy('stream_ordering', order)
    .limit(limit)
    .execute();
  return mapYielding(rows, asStoredEvent);
}

/** Returns the position of a room's newest event; 0 without events. */
export async function newestStreamOrdering(db: Database, roomId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .where('purged', '=', 0)
    .orderBy('stream_ordering', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.stream_ordering ?? 0;
}

/** An interval of stream positions, from `after` (exclusive) to `upTo` (inclusive). */
export type Stretch = { after: number; upTo: number };

/** Returns events of all rooms, including purged ones, oldest first, and the length of their JSON in characters. */
export async function listAllEvents(
  db: Database,
  { after, upTo, limit = Number.MAX_SAFE_INTEGER }: Stretch & { limit?: number },
): Promise<{ events: StoredEvent[]; length: number }> {
  const { rows } = await selectStretch(db, { after, upTo, limit });
  return { events: rows.map(asStoredEvent), length: rows.reduce((sum, { json }) => sum + json.length, 0) };
}

const selectStretch = builtOnce((db, { after, upTo, limit }: Stretch & { limit: number }) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('stream_ordering', '>', after)
    .where('stream_ordering', '<=', upTo)
    .orderBy('stream_ordering')
    .limit(limit),
);

/** Returns the events at these positions, including purged ones; oldest first if the positions are sorted. */
export async function listEventsAt(db: Database, positions: readonly number[]): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const chunk of chunks(positions, positionsAtOnce)) {
    const rows = await db
      .selectFrom('events')
      .select(columns)
      .where('stream_ordering', 'in', chunk)
      .orderBy('stream_ordering')
      .execute();
    await forEachYielding(rows, (row) => events.push(asStoredEvent(row)));
  }
  return events;
}
