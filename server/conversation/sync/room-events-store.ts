/** Events of many rooms, in few statements: newest events, current state and state changes. */
import { type RawBuilder, sql } from 'kysely';
import { chunks, mapYielding } from '../../platform/concurrency/yield.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listEventsAt } from '../rooms/events/event-order-store.ts';
import { asStoredEvent, type StoredEvent } from '../rooms/events/event-store.ts';

/** An interval of a room's history: `after` is exclusive, `upTo` inclusive. */
export type Stretch = { roomId: string; after: number; upTo: number };

/** Rooms per statement: some milliseconds of work. */
const roomsAtOnce = 50;

type Row = Parameters<typeof asStoredEvent>[0];

const columns = sql`e.event_id, e.stream_ordering, e.json, e.redacted_by, e.purged, e.device_id, e.transaction_id, e.room_version`;

/** Events in the first statement, and limits of the others, which aim at a number of characters. */
const eventsAtOnce = { least: 20, first: 100, most: 1_000 };
const charactersAtOnce = 2_000_000;

/**
 * Returns the newest events of each room, oldest first, and the rooms whose lists were `cut` because of their size; each has
 * at least one event.
 *
 * @param share characters of JSON per room
 */
export async function listNewest(
  db: Database,
  stretches: readonly Stretch[],
  { limit, share }: { limit: number; share: number },
): Promise<{ newest: Map<string, StoredEvent[]>; cut: Set<string> }> {
  const newest = new Map<string, StoredEvent[]>();
  const cut = new Set<string>();
  const read = { events: 0, characters: 0 };
  let open = stretches.map((stretch) => ({ ...stretch, found: [] as StoredEvent[], size: 0 }));
  while (open.length > 0) {
    const typical = read.characters / read.events;
    const many =
      read.events === 0
        ? eventsAtOnce.first
        : Math.min(Math.max(Math.floor(charactersAtOnce / typical), eventsAtOnce.least), eventsAtOnce.most);
    const ofEach = Math.max(1, Math.min(limit, many));
    const chunk = open.slice(0, Math.min(roomsAtOnce, Math.ceil(many / ofEach)));
    const { rows } = await selectNewest(db, { stretches: asJson(chunk), limit: ofEach });
    const sized = await mapYielding(rows, (row) => ({ event: asStoredEvent(row), size: row.json.length }));
    sized.sort((one, other) => other.event.streamOrdering - one.event.streamOrdering);
    const byRoom = Map.groupBy(sized, ({ event }) => event.pdu.room_id);
    const unfinished: typeof open = [];
    for (const room of chunk) {
      const some = byRoom.get(room.roomId) ?? [];
      for (const { event, size } of some) {
        read.events++;
        read.characters += size;
        if (room.found.length >= limit || cut.has(room.roomId)) continue;
        if (room.found.length > 0 && room.size + size > share) cut.add(room.roomId);
        else {
          room.found.push(event);
          room.size += size;
        }
      }
      const oldest = room.found.at(-1);
      const isWhole = some.length < ofEach || room.found.length >= limit || cut.has(room.roomId);
      if (isWhole || !oldest) newest.set(room.roomId, room.found.reverse());
      else unfinished.push({ ...room, upTo: oldest.streamOrdering - 1 });
    }
    open = [...unfinished, ...open.slice(chunk.length)];
  }
  return { newest, cut };
}

const asJson = (stretches: readonly Stretch[]) =>
  JSON.stringify(stretches.map(({ roomId, after, upTo }) => ({ r: roomId, a: after, u: upTo })));

const selectNewest = builtOnce((db, { stretches, limit }: { stretches: string; limit: number }) =>
  selectRaw(
    db,
    isPostgres(db)
      ? sql`
          select ${columns} from json_to_recordset(cast(${stretches} as json)) as w(r text, a bigint, u bigint)
          cross join lateral (
            select * from events where room_id = w.r and purged = 0
              and stream_ordering > w.a and stream_ordering <= w.u
            order by stream_ordering desc limit ${limit}
          ) as e`
      : sql`
          select ${columns} from json_each(${stretches}) as w cross join events as e
          where e.stream_ordering in (
            select stream_ordering from events where room_id = w.value ->> 'r' and purged = 0
              and stream_ordering > w.value ->> 'a' and stream_ordering <= w.value ->> 'u'
            order by stream_ordering desc limit ${limit}
          )`,
  ),
);

export type StateEntry = { roomId: string; type: string; stateKey: string };

/** Returns entries of rooms' current state, as far as they exist. */
export async function listStateEntries(db: Database, entries: readonly StateEntry[]): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const chunk of chunks(entries, 200)) {
    const json = JSON.stringify(
      chunk.map(({ roomId, type, stateKey }) => ({ r: roomId, t: type, k: stateKey })),
    );
    const { rows } = await selectStateEntries(db, { entries: json });
    events.push(...(await mapYielding(rows, asStoredEvent)));
  }
  return events;
}

const selectStateEntries = builtOnce((db, { entries }: { entries: string }) =>
  selectRaw(
    db,
    isPostgres(db)
      ? sql`
          select ${columns} from json_to_recordset(cast(${entries} as json)) as w(r text, t text, k text)
          join current_state as c on c.room_id = w.r and c.type = w.t and c.state_key = w.k
          join events as e on e.event_id = c.event_id`
      : sql`
          select ${columns} from json_each(${entries}) as w
          cross join current_state as c
            on c.room_id = w.value ->> 'r' and c.type = w.value ->> 't' and c.state_key = w.value ->> 'k'
          cross join events as e on e.event_id = c.event_id`,
  ),
);

/** Returns state events by room ID, oldest first. */
export async function listStateChangesByRoom(
  db: Database,
  stretches: readonly Stretch[],
): Promise<Map<string, StoredEvent[]>> {
  const positions: number[] = [];
  for (const chunk of chunks(stretches, roomsAtOnce)) {
    const { rows } = await selectStateChanges(db, { stretches: asJson(chunk) });
    for (const { position } of rows) positions.push(position);
  }
  positions.sort((one, other) => one - other);
  return byRoom(await listEventsAt(db, positions));
}

const selectStateChanges = builtOnce((db, { stretches }: { stretches: string }) =>
  selectRaw<{ position: number }>(
    db,
    isPostgres(db)
      ? sql`
          select e.stream_ordering as position from json_to_recordset(cast(${stretches} as json)) as w(r text, a bigint, u bigint)
          join events as e on e.room_id = w.r and e.state_key is not null
            and e.stream_ordering > w.a and e.stream_ordering <= w.u`
      : sql`
          select e.stream_ordering as position from json_each(${stretches}) as w
          cross join events as e indexed by events_state_changes
            on e.room_id = w.value ->> 'r' and e.state_key is not null
            and e.stream_ordering > w.value ->> 'a' and e.stream_ordering <= w.value ->> 'u'`,
  ),
);

/** Wraps raw SQL in a select, which drivers recognize as read-only. */
const selectRaw = <Found = Row>(db: Database, query: RawBuilder<unknown>) =>
  db.selectFrom(sql<Found>`(${query})`.as('found')).selectAll();

function byRoom(events: readonly StoredEvent[]): Map<string, StoredEvent[]> {
  const rooms = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const of = rooms.get(event.pdu.room_id);
    if (of) of.push(event);
    else rooms.set(event.pdu.room_id, [event]);
  }
  return rooms;
}
