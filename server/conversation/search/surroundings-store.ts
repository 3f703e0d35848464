/** What stands around places in rooms: for as many places as are asked, in few statements. */
import { type RawBuilder, sql } from 'kysely';
import { chunks, forEachYielding } from '../../platform/concurrency/yield.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import type { Database } from '../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from '../rooms/events/event-store.ts';

export type RoomPlace = { roomId: string; place: number };

/** About so many events are read at once. */
const eventsAtOnce = 100;

/**
 * The events right before each of these places (`b`) or right after it (`f`), the closest first; without what was
 * purged. As many lists as places.
 */
export async function listEventsBeside(
  db: Database,
  places: readonly RoomPlace[],
  { direction, limit }: { direction: 'b' | 'f'; limit: number },
): Promise<StoredEvent[][]> {
  if (limit === 0) return places.map(() => []);
  const [beyond, order] = direction === 'b' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const beside = sql`
    select stream_ordering from events
    where room_id = w.value ->> 'roomId' and purged = 0
      and stream_ordering ${beyond} cast(w.value ->> 'place' as bigint)
    order by stream_ordering ${order} limit ${limit}`;
  const lists = await listForEach(db, places, Math.ceil(eventsAtOnce / limit), beside);
  const sign = direction === 'b' ? -1 : 1;
  for (const list of lists) list.sort((one, other) => sign * (one.streamOrdering - other.streamOrdering));
  return lists;
}

/** The member event of each of these users in a room as it was right after a place; those without one are left out. */
export async function listMembersAtPlaces(
  db: Database,
  asked: readonly (RoomPlace & { userId: string })[],
): Promise<{ index: number; member: StoredEvent }[]> {
  const newest = sql`
    select max(stream_ordering) as stream_ordering from events
    where room_id = w.value ->> 'roomId' and type = 'm.room.member' and state_key = w.value ->> 'userId'
      and stream_ordering <= cast(w.value ->> 'place' as bigint)`;
  const lists = await listForEach(db, asked, eventsAtOnce, newest);
  return lists.flatMap((members, index) => members.map((member) => ({ index, member })));
}

/** @param places gives, for what stands as `w.value`, the places of the events that are wanted for it */
async function listForEach(
  db: Database,
  asked: readonly object[],
  atOnce: number,
  places: RawBuilder<unknown>,
): Promise<StoredEvent[][]> {
  const lists = asked.map((): StoredEvent[] => []);
  const numbered = asked.map((each, index) => ({ ...each, index }));
  const wanted = sql.join(columns.map((column) => sql.ref(column)));
  for (const chunk of chunks(numbered, atOnce)) {
    const json = JSON.stringify(chunk);
    const found = isPostgres(db)
      ? sql`json_array_elements(cast(${json} as json)) as w(value)
          cross join lateral (${places}) as place
          join events on events.stream_ordering = place.stream_ordering`
      : sql`json_each(${json}) as w cross join events on events.stream_ordering in (${places})`;
    const { rows } = await sql<Parameters<typeof asStoredEvent>[0] & { index: number }>`
      select cast(w.value ->> 'index' as integer) as "index", ${wanted} from ${found}`.execute(db);
    await forEachYielding(rows, (row) => lists[row.index]?.push(asStoredEvent(row)));
  }
  return lists;
}
