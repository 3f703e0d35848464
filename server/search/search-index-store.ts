/** Which events hold which words: FTS5 on SQLite, a text search vector on PostgreSQL. */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

/** Makes an event found by these words, in place of any that it was found by. */
export async function indexWords(
  tx: Tx,
  { place, roomId, words }: { place: number; roomId: string; words: readonly string[] },
): Promise<void> {
  const text = words.join(' ');
  if (isPostgres(tx)) {
    await sql`insert into search_index (place, room_id, words)
      values (${place}, ${roomId}, to_tsvector('simple', ${text}))
      on conflict (place) do update set words = excluded.words`.execute(tx);
    return;
  }
  await sql`insert or replace into search_index (rowid, words, room)
    values (${place}, ${text}, ${roomWord(roomId)})`.execute(tx);
}

/** Makes an event found no more. */
export async function unindex(tx: Tx, place: number): Promise<void> {
  const row = isPostgres(tx) ? sql.ref('place') : sql.ref('rowid');
  await sql`delete from search_index where ${row} = ${place}`.execute(tx);
}

/** So many rooms are told apart by the index itself. */
const roomsInIndex = 100;

type Asked = { roomIds: readonly string[]; before: number; after: number; limit: number };

/**
 * The places of the newest events of these rooms that hold words beginning with all of these: of those before a place
 * and after another.
 */
export async function findPlaces(db: Database, words: readonly string[], asked: Asked): Promise<number[]> {
  if (words.length === 0 || asked.roomIds.length === 0) return [];
  const { rows } = await sql<{ place: number }>`
    ${holding(db, words, asked)} order by place desc limit ${asked.limit}`.execute(db);
  return rows.map(({ place }) => place);
}

/** How many events of these rooms hold such words; no more than the limit. */
export async function countPlaces(
  db: Database,
  words: readonly string[],
  { roomIds, limit }: Pick<Asked, 'roomIds' | 'limit'>,
): Promise<number> {
  const all = holding(db, words, { roomIds, before: Number.MAX_SAFE_INTEGER, after: 0 });
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${all} limit ${limit}) as found`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

function holding(
  db: Database,
  words: readonly string[],
  { roomIds, before, after }: Omit<Asked, 'limit'>,
): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const query = words.map((word) => `'${word}':*`).join(' & ');
    return sql`
      select place from search_index
      where words @@ to_tsquery('simple', ${query}) and room_id = any(${sql.val(roomIds)})
        and place < ${before} and place > ${after}`;
  }
  const phrase = words.map((word) => `"${word}"*`).join(' AND ');
  const inRooms = roomIds.length <= roomsInIndex;
  const rooms = roomIds.map((roomId) => `"${roomWord(roomId)}"`).join(' OR ');
  const match = inRooms ? `(words : ${phrase}) AND (room : (${rooms}))` : `words : (${phrase})`;
  const among = sql`(select value from json_each(${JSON.stringify(roomIds)}))`;
  const others = inRooms
    ? sql``
    : sql`join events on events.stream_ordering = search_index.rowid and events.room_id in ${among}`;
  return sql`
    select search_index.rowid as place from search_index ${others}
    where search_index match ${match} and search_index.rowid < ${before} and search_index.rowid > ${after}`;
}

/** A room as a word of the index. */
export const roomWord = (roomId: string) =>
  `r${createHash('sha256').update(roomId).digest('hex').slice(0, 24)}`;

/** The rooms that a user is in now, without those whose messages only their clients can read. */
export async function listReadableRooms(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('rooms', 'rooms.room_id', 'memberships.room_id')
    .select('rooms.room_id')
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .where('rooms.encryption', 'is', null)
    .execute();
  return rows.map((row) => row.room_id);
}
