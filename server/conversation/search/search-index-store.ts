/** Which events hold which words: FTS5 on SQLite, a text search vector on PostgreSQL. */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/database/engine.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { Part, Query } from './query.ts';

/** An event of a room, by its place, and the words that it is found by: without any it isn't found. */
export type IndexedEvent = { place: number; roomId: string; words: readonly string[] };

/** Makes different events found by these words, in place of any that they were found by. */
export async function indexEvents(tx: Tx, events: readonly IndexedEvent[]): Promise<void> {
  const found = events.filter(({ words }) => words.length > 0);
  const unfound = events.filter(({ words }) => words.length === 0);
  if (unfound.length > 0) {
    const row = isPostgres(tx) ? sql.ref('place') : sql.ref('rowid');
    const places = sql.join(unfound.map(({ place }) => place));
    await sql`delete from search_index where ${row} in (${places})`.execute(tx);
  }
  if (found.length === 0) return;
  const text = ({ words }: IndexedEvent) => words.join(' ');
  if (isPostgres(tx)) {
    const column = (read: (event: IndexedEvent) => unknown) => sql.val(found.map(read));
    await sql`insert into search_index (place, room_id, words)
      select place, room_id, to_tsvector('simple', words)
      from unnest(${column(({ place }) => place)}::bigint[], ${column(({ roomId }) => roomId)}::text[],
        ${column(text)}::text[]) as indexed (place, room_id, words)
      on conflict (place) do update set words = excluded.words`.execute(tx);
    return;
  }
  for (const event of found) {
    await sql`insert or replace into search_index (rowid, words, room)
      values (${event.place}, ${text(event)}, ${roomWord(event.roomId)})`.execute(tx);
  }
}

/** So many rooms are told apart by the index itself. */
const roomsInIndex = 100;

type Asked = { roomIds: readonly string[]; before: number; after: number; limit: number };

/**
 * The places of the newest events of these rooms that may be what is looked for: of those before a place and after
 * another. SQLite's index doesn't know which words stand together: there it is all that hold the words of a phrase.
 */
export async function findPlaces(db: Database, query: Query, asked: Asked): Promise<number[]> {
  if (query.length === 0 || asked.roomIds.length === 0) return [];
  const read = async (on: Database) => {
    const { rows } = await sql<{ place: number }>`
      ${holding(on, query, asked)} order by place desc limit ${asked.limit}`.execute(on);
    return rows.map(({ place }) => place);
  };
  if (!isPostgres(db)) return read(db);
  return inTransaction(db, async (tx) => {
    await planAsIfCached(tx);
    return read(tx);
  });
}

/**
 * Left to itself, PostgreSQL walks through most of the messages, with several processes, rather than gather one of a few
 * hundred by the index of words: it takes what lies here and there for as far away as on a turning disk.
 */
const planAsIfCached = (tx: Tx) =>
  sql`select set_config('random_page_cost', '1.1', true),
    set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx);

function holding(db: Database, query: Query, { roomIds, before, after }: Asked): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const [only = '', ...others] = roomIds;
    // One room is said as such: of a list PostgreSQL doesn't see that the room's index has the order that is wanted.
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

/** What is looked for as PostgreSQL reads it. Words are letters and digits, and need no escape. */
function asTsquery(query: Query): string {
  const asText = ({ words, isPhrase }: Part) =>
    isPhrase
      ? `(${words.map((word) => `'${word}'`).join(' <-> ')})`
      : `(${words.map((word) => `'${word}':*`).join(' & ')})`;
  return query
    .map(({ wanted, unwanted }) => [...wanted.map(asText), ...unwanted.map((part) => `!${asText(part)}`)])
    .map((parts) => `(${parts.join(' & ')})`)
    .join(' | ');
}

/** The same as FTS5 reads it. Texts without both words of a phrase are without it; those with both have to be looked at. */
function asMatch(query: Query): string {
  const asText = ({ words, isPhrase }: Part) =>
    `(${words.map((word) => (isPhrase ? `"${word}"` : `"${word}"*`)).join(' AND ')})`;
  return query
    .map(({ wanted, unwanted }) => {
      const all = wanted.map(asText).join(' AND ');
      const none = unwanted.filter(({ words, isPhrase }) => !isPhrase || words.length === 1).map(asText);
      return none.length > 0 ? `((${all}) NOT (${none.join(' OR ')}))` : `(${all})`;
    })
    .join(' OR ');
}

/** A room as a word of the index. */
export const roomWord = (roomId: string) =>
  `r${createHash('sha256').update(roomId).digest('hex').slice(0, 24)}`;

/**
 * The rooms that a user is in now, without those whose messages only their clients can read: each with the place of the
 * event that says so.
 */
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
