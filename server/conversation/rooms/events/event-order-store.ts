/** Events in the order that they happened: those of a room, and those of all of them. */
import { chunks, forEachYielding, mapYielding } from '../../../platform/concurrency/yield.ts';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from './event-store.ts';

export type HistoryRange = {
  /** Only events after this position. */
  after: number;
  /** Only events up to and with this position. */
  upTo: number;
  /** Whether from the oldest (`f`) or from the newest (`b`). */
  direction: 'b' | 'f';
  limit: number;
};

const rowsAtOnce = 50;
/** So many positions are looked up at once. */
const positionsAtOnce = 200;
/** So many characters of events are enough for one reply, however few events they are. */
const enough = 4_000_000;

/**
 * A room's history, without what was purged from it. Where the events are very large there are fewer of them
 * than asked for, and never none.
 */
export async function listEvents(
  db: Database,
  roomId: string,
  { after, upTo, direction, limit }: HistoryRange,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let size = 0; events.length < limit && size < enough; ) {
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

export type TimeRange = {
  /** Milliseconds since the Unix epoch. */
  ts: number;
  /** From that time on (`f`), or back from it (`b`). */
  dir: 'b' | 'f';
  /** Only events up to and with this position. */
  upTo: number;
  /** Where the last page ended. */
  after?: StoredEvent | undefined;
  limit: number;
};

/** A room's events in the order of their times, those closest to a time first. */
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

/** The position of a room's newest event; 0 for a room without any. */
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

/** A stretch of the order of all events: those after one position and up to another. */
export type Stretch = { after: number; upTo: number };

/** Events of all rooms, what was purged among them, oldest first, and how long their JSON is, in characters. */
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

/** The events at these positions of the order of all events, what was purged among them: oldest first where these are. */
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
