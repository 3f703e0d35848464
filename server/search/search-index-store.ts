/** Which events hold which words: FTS5 on SQLite, a text search vector on PostgreSQL. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
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

/** The places of the newest events of these rooms that hold words beginning with all of these, before a place. */
export async function findPlaces(
  db: Database,
  words: readonly string[],
  { roomIds, before, limit }: { roomIds: readonly string[]; before: number; limit: number },
): Promise<number[]> {
  if (words.length === 0 || roomIds.length === 0) return [];
  if (isPostgres(db)) {
    const query = words.map((word) => `'${word}':*`).join(' & ');
    const { rows } = await sql<{ place: number }>`
      select place from search_index
      where words @@ to_tsquery('simple', ${query}) and room_id = any(${sql.val(roomIds)}) and place < ${before}
      order by place desc limit ${limit}`.execute(db);
    return rows.map(({ place }) => place);
  }
  const phrase = words.map((word) => `"${word}"*`).join(' AND ');
  const inRooms = roomIds.length <= roomsInIndex;
  const rooms = roomIds.map((roomId) => `"${roomWord(roomId)}"`).join(' OR ');
  const match = inRooms ? `(words : ${phrase}) AND (room : (${rooms}))` : `words : (${phrase})`;
  const among = sql`(select value from json_each(${JSON.stringify(roomIds)}))`;
  const others = inRooms
    ? sql``
    : sql`join events on events.stream_ordering = search_index.rowid and events.room_id in ${among}`;
  const { rows } = await sql<{ place: number }>`
    select search_index.rowid as place from search_index ${others}
    where search_index match ${match} and search_index.rowid < ${before}
    order by search_index.rowid desc limit ${limit}`.execute(db);
  return rows.map(({ place }) => place);
}

/** A room as a word of the index. */
const roomWord = (roomId: string) => `r${createHash('sha256').update(roomId).digest('hex').slice(0, 24)}`;
