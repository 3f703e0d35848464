/**
 * The whole current state of rooms. It can be large, so it's read in pages of a few milliseconds: later pages may contain
 * state that changed in the meantime.
 */
import { type RawBuilder, sql } from 'kysely';
import { chunks, forEachYielding, mapYielding } from '../../../platform/concurrency/yield.ts';
import { isPostgres } from '../../../platform/database/engine.ts';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { asStoredEvent, columns, type StoredEvent } from '../events/event-store.ts';

const rowsAtOnce = 1_000;
const roomsAtOnce = 50;
/** Rows of the first page, and limits of the others, which aim at a number of characters. */
const pageRows = { least: 5, first: 50, most: 1_000 };
const charactersAtOnce = 1_000_000;

/** Returns the current state of a room, or the part of one type, oldest first. */
export async function listState(db: Database, roomId: string, type?: string): Promise<StoredEvent[]> {
  const events = await readRoom((cursor) =>
    type === undefined
      ? selectPage(db, { roomId, ...cursor })
      : selectOfType(db, { roomId, ...cursor, type }),
  );
  return events.sort((one, other) => one.streamOrdering - other.streamOrdering);
}

/** Yields the current state by type and key, for state that may not fit in memory. */
export const statePages = (db: Database, roomId: string): AsyncGenerator<StoredEvent[]> =>
  readPages((cursor) => selectPage(db, { roomId, ...cursor }));

export async function listCurrentState(
  db: Database,
  roomIds: readonly string[],
  { members }: { members: boolean },
): Promise<StoredEvent[]> {
  const [selectFirst, select] = members ? [selectFirsts, selectPage] : [selectOtherFirsts, selectOthers];
  const events: StoredEvent[] = [];
  for (const chunk of chunks(roomIds, roomsAtOnce)) {
    const limit = Math.floor(rowsAtOnce / chunk.length);
    const { rows } = await selectFirst(db, { rooms: JSON.stringify(chunk), limit });
    const firsts = await mapYielding(rows, asStoredEvent);
    for (const [roomId, some] of Map.groupBy(firsts, ({ pdu }) => pdu.room_id)) {
      // With a full first page, there may be more.
      const all = some.length < limit ? some : await readRoom((cursor) => select(db, { roomId, ...cursor }));
      await forEachYielding(all, (event) => events.push(event));
    }
  }
  return events;
}

type StateCursor = { fromType: string; fromKey: string; limit: number };
type Row = Parameters<typeof asStoredEvent>[0];

type Select = (cursor: StateCursor) => Promise<{ rows: Row[] }>;

async function readRoom(select: Select): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const page of readPages(select)) await forEachYielding(page, (event) => events.push(event));
  return events;
}

/** @param select returns state from the cursor on, in the order of types and keys */
async function* readPages(select: Select): AsyncGenerator<StoredEvent[]> {
  let cursor: StateCursor = { fromType: '', fromKey: '', limit: pageRows.first };
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await select(cursor);
    const page = await mapYielding(rows, asStoredEvent);
    const { fromType, fromKey } = cursor;
    const isKnown = ({ pdu: { type, state_key } }: StoredEvent) =>
      !isFirst && type === fromType && state_key === fromKey;
    yield page.filter((event) => !isKnown(event));
    const last = page.at(-1);
    if (!last || page.length < cursor.limit) return;
    const typical = rows.reduce((sum, { json }) => sum + json.length, 0) / rows.length;
    const limit = Math.min(Math.max(Math.floor(charactersAtOnce / typical), pageRows.least), pageRows.most);
    cursor = { fromType: last.pdu.type, fromKey: last.pdu.state_key ?? '', limit };
  }
}

type OfRoom = StateCursor & { roomId: string };

/** The subquery keeps PostgreSQL from joining and sorting all of the remaining state for each page. */
const page = (db: Database, { roomId, fromType, fromKey, limit }: OfRoom, narrowing: RawBuilder<unknown>) =>
  db
    .selectFrom(
      sql<{ type: string; state_key: string; event_id: string }>`(
        select type, state_key, event_id from current_state
        where room_id = ${roomId} and (type, state_key) >= (${fromType}, ${fromKey}) ${narrowing}
        order by type, state_key limit ${limit})`.as('found'),
    )
    .innerJoin('events', 'events.event_id', 'found.event_id')
    .select(columns)
    .orderBy('found.type')
    .orderBy('found.state_key');

const selectPage = builtOnce((db, cursor: OfRoom) => page(db, cursor, sql``));
const selectOthers = builtOnce((db, cursor: OfRoom) => page(db, cursor, sql`and type <> 'm.room.member'`));
const selectOfType = builtOnce((db, cursor: OfRoom & { type: string }) =>
  page(db, cursor, sql`and type = ${cursor.type}`),
);

/** Selects the first rows of each room. */
const firsts = (db: Database, { rooms, limit }: { rooms: string; limit: number }, members: boolean) => {
  const narrowing = members ? sql`` : sql`and type <> 'm.room.member'`;
  const own = sql`where room_id = w.value ${narrowing} order by type, state_key limit ${limit}`;
  const found = isPostgres(db)
    ? sql<{ event_id: string }>`(
        select c.event_id from json_array_elements_text(cast(${rooms} as json)) as w(value)
        cross join lateral (select event_id from current_state ${own}) as c)`
    : sql<{ event_id: string }>`(
        select c.event_id from json_each(${rooms}) as w
        cross join current_state as c on c.rowid in (select rowid from current_state ${own}))`;
  return db
    .selectFrom(found.as('found'))
    .innerJoin('events', 'events.event_id', 'found.event_id')
    .select(columns);
};

const selectFirsts = builtOnce((db, request: { rooms: string; limit: number }) => firsts(db, request, true));
const selectOtherFirsts = builtOnce((db, request: { rooms: string; limit: number }) =>
  firsts(db, request, false),
);
