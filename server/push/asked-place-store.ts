/** Rooms and threads of which is asked how much is unread, as a table within a query. */
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';

export type AskedPlace = {
  roomId: string;
  /** Empty for the main thread. */
  threadId: string;
  /** The place up to which it is read. */
  read: number;
  /** What notifies everyone counts after one place, and up to another. */
  from: number;
  upTo: number;
};

export const asJson = (asked: readonly AskedPlace[]): string =>
  JSON.stringify(
    asked.map(({ roomId, threadId, read, from, upTo }) => ({
      room_id: roomId,
      thread_id: threadId,
      after_place: Math.max(read, from),
      upto_place: Math.max(upTo, read, from),
      read_place: read,
    })),
  );

/**
 * The table `asked`, to stand after `with`: SQLite would read the JSON again for each use of a column of it otherwise.
 *
 * @param json the list, or the stand-in for it
 */
export const askedPlaces = (db: Database, json: string): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`asked as (select * from json_to_recordset(cast(${json} as json)) as given(room_id text, thread_id text,
        after_place bigint, upto_place bigint, read_place bigint))`
    : sql`asked as materialized (select value ->> 'room_id' as room_id, value ->> 'thread_id' as thread_id,
        value ->> 'after_place' as after_place, value ->> 'upto_place' as upto_place,
        value ->> 'read_place' as read_place from json_each(${json}))`;
