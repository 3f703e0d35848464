/** The full-text index of events: FTS5 on SQLite, `tsvector` on PostgreSQL. */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/database/engine.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { Part, Query } from './query.ts';

/** An event without words isn't in the index. */
export type IndexedEvent = { position: number; roomId: string; words: readonly string[] };

/** Replaces the entries of distinct events. */
export async function indexEvents(tx: Tx, events: readonly IndexedEvent[]): Promise<void> {
  const found = events.filter(({ words }) => words.length > 0);
  const unfound = events.filter(({ words }) => words.length === 0);
  if (unfound.length > 0) {
    const row = isPostgres(tx) ? sql.ref('place') : sql.ref('rowid');
    const positions = sql.join(unfound.map(({ position }) => position));
    await sql`delete from search_index where ${row} in (${positions})`.execute(tx);
  }
  if (found.length === 0) return;
  const text = ({ words }: IndexedEvent) => words.join(' ');
  if (isPostgres(tx)) {
    const column = (read: (event: IndexedEvent) => unknown) => sql.val(found.map(read));
    await sql`insert into search_index (place, room_id, words)
      select place, room_id, to_tsvector('simple', words)
      from unnest(${column(({ position }) => position)}::bigint[], ${column(({ roomId }) => roomId)}::text[],
        ${column(text)}::text[]) as indexed (place, room_id, words)
      on conflict (place) do update set words = excluded.words`.execute(tx);
    return;
  }
  for (const event of found) {
    await sql`insert or replace into search_index (rowid, words, room)
      values (${event.position}, ${text(event)}, ${roomWord(event.roomId)})`.execute(tx);
  }
}

/** Up to this many rooms are part of the FTS5 query. */
const roomsInIndex = 100;

type MatchRange = { roomIds: readonly string[]; before: number; after: number; limit: number };

/**
 * Returns the stream positions of the newest events that may match. On SQLite a phrase matches all events that contain its
 * words, because the FTS5 index stores no word positions.
 */
export async function findMatches(db: Database, query: Query, range: MatchRange): Promise<number[]> {
  if (query.length === 0 || range.roomIds.length === 0) return [];
  const read = async (on: Database) => {
    const { rows } = await sql<{ place: number }>`
      ${matching(on, query, range)} order by place desc limit ${range.limit}`.execute(on);
    return rows.map(({ place }) => place);
  };
  if (!isPostgres(db)) return read(db);
  return inTransaction(db, async (tx) => {
    await planAsIfCached(tx);
    return read(tx);
  });
}

/**
 * With the default costs, which assume a spinning disk, PostgreSQL would scan most messages in parallel workers instead of
 * using the index.
 */
const planAsIfCached = (tx: Tx) =>
  sql`select set_config('random_page_cost', '1.1', true),
    set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx);

function matching(db: Database, query: Query, { roomIds, before, after }: MatchRange): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const [only = '', ...others] = roomIds;
    // With a list of one, PostgreSQL wouldn't use the order of the room's index.
    const inRooms = others.length > 0 ? sql`room_id = any(${sql.val(roomIds)})` : sql`room_id = ${only}`;
    return sql`
      select place from search_index
      where words @@ to_tsquery('simple', ${asTsquery(query)}) and ${inRooms}
        and place < ${before} and place > ${after}`;
  }
  const inRooms = roomIds.length <= roomsInIndex;
  const rooms = roomIds.map((roomId) => `"${roomWord(roomId)}"`).join(' OR ');
  const words = `words : (${asMatch(query)})`;
  const match = inRooms ? `(${words}) AND (room : (${rooms}))` : words;
  const among = sql`(select value from json_each(${JSON.stringify(roomIds)}))`;
  const others = inRooms
    ? sql``
    : sql`join events on events.stream_ordering = search_index.rowid and events.room_id in ${among}`;
  return sql`
    select search_index.rowid as place from search_index ${others}
    where search_index match ${match} and search_index.rowid < ${before} and search_index.rowid > ${after}`;
}

/** The query for `to_tsquery`. Words are letters and digits and need no escaping. */
function asTsquery(query: Query): string {
  const asText = ({ words, isPhrase }: Part) =>
    isPhrase
      ? `(${words.map((word) => `'${word}'`).join(' <-> ')})`
      : `(${words.map((word) => `'${word}':*`).join(' & ')})`;
  return query
    .map(({ required, excluded }) => [...required.map(asText), ...excluded.map((part) => `!${asText(part)}`)])
    .map((parts) => `(${parts.join(' & ')})`)
    .join(' | ');
}

/** The query for FTS5 `match`. Excluded phrases are left to the caller: events with all of their words may lack the phrase. */
function asMatch(query: Query): string {
  const asText = ({ words, isPhrase }: Part) =>
    `(${words.map((word) => (isPhrase ? `"${word}"` : `"${word}"*`)).join(' AND ')})`;
  return query
    .map(({ required, excluded }) => {
      const all = required.map(asText).join(' AND ');
      const none = excluded.filter(({ words, isPhrase }) => !isPhrase || words.length === 1).map(asText);
      return none.length > 0 ? `((${all}) NOT (${none.join(' OR ')}))` : `(${all})`;
    })
    .join(' OR ');
}

/** The token of a room in the FTS5 index. */
export const roomWord = (roomId: string) =>
  `r${createHash('sha256').update(roomId).digest('hex').slice(0, 24)}`;

/** Returns the joined, unencrypted rooms of a user with the stream position of the join. */
export async function listReadableRooms(db: Database, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('rooms', 'rooms.room_id', 'memberships.room_id')
    .select(['rooms.room_id', 'memberships.stream_ordering'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .where('rooms.encryption', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.room_id, row.stream_ordering]));
}
