/** Events around many stream positions, in few statements. */
import { type RawBuilder, sql } from 'kysely';
import { chunks, forEachYielding } from '../../platform/concurrency/yield.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import type { Database } from '../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from '../rooms/events/event-store.ts';

type RoomPosition = { roomId: string; position: number };

/** Per statement, approximately. */
const eventsAtOnce = 100;

/** Returns, for each position, the events before (`b`) or after it (`f`), closest first, without purged ones. */
export async function listEventsBeside(
  db: Database,
  positions: readonly RoomPosition[],
  { direction, limit }: { direction: 'b' | 'f'; limit: number },
): Promise<StoredEvent[][]> {
  if (limit === 0) return positions.map(() => []);
  const [beyond, order] = direction === 'b' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const beside = sql`
    select stream_ordering from events
    where room_id = w.value ->> 'roomId' and purged = 0
      and stream_ordering ${beyond} cast(w.value ->> 'position' as bigint)
    order by stream_ordering ${order} limit ${limit}`;
  const lists = await listForEach(db, positions, Math.ceil(eventsAtOnce / limit), beside);
  const sign = direction === 'b' ? -1 : 1;
  for (const list of lists) list.sort((one, other) => sign * (one.streamOrdering - other.streamOrdering));
  return lists;
}

/** Returns the member events as of each position, as far as they exist. */
export async function listMembersAtPositions(
  db: Database,
  queries: readonly (RoomPosition & { userId: string })[],
): Promise<{ index: number; member: StoredEvent }[]> {
  const newest = sql`
    select max(stream_ordering) as stream_ordering from events
    where room_id = w.value ->> 'roomId' and type = 'm.room.member' and state_key = w.value ->> 'userId'
      and stream_ordering <= cast(w.value ->> 'position' as bigint)`;
  const lists = await listForEach(db, queries, eventsAtOnce, newest);
  return lists.flatMap((members, index) => members.map((member) => ({ index, member })));
}

/** @param positions SQL that selects the stream positions for a request, which is `w.value` */
async function listForEach(
  db: Database,
  queries: readonly object[],
  atOnce: number,
  positions: RawBuilder<unknown>,
): Promise<StoredEvent[][]> {
  const lists = queries.map((): StoredEvent[] => []);
  const numbered = queries.map((each, index) => ({ ...each, index }));
  const wanted = sql.join(columns.map((column) => sql.ref(column)));
  for (const chunk of chunks(numbered, atOnce)) {
    const json = JSON.stringify(chunk);
    const found = isPostgres(db)
      ? sql`json_array_elements(cast(${json} as json)) as w(value)
          cross join lateral (${positions}) as position
          join events on events.stream_ordering = position.stream_ordering`
      : sql`json_each(${json}) as w cross join events on events.stream_ordering in (${positions})`;
    const { rows } = await sql<Parameters<typeof asStoredEvent>[0] & { index: number }>`
      select cast(w.value ->> 'index' as integer) as "index", ${wanted} from ${found}`.execute(db);
    await forEachYielding(rows, (row) => lists[row.index]?.push(asStoredEvent(row)));
  }
  return lists;
}
