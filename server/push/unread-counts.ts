/** How much of each room is unread. Matrix specification, client-server API, "Receiving notifications". */
import { sql } from 'kysely';
import { breathe } from '../core/event-loop-turns.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import { textsIn } from '../receipts/receipt-store.ts';
import { mainThread } from '../receipts/thread-of.ts';
import type { UnreadCount } from './notification-store.ts';
import { countRedacted } from './redacted-notifications.ts';

export type UnreadRoom = {
  main: UnreadCount;
  /** Only threads of which something is unread, by the event that each hangs on. */
  threads: Map<string, UnreadCount>;
};

/** More threads of one room than these are not counted. */
const threadsPerRoom = 1_000;
/** How many counts one statement makes, of a few index look-ups each: some milliseconds. */
const countsAtOnce = 200;

/**
 * How much a user has not read of the rooms that they are in, by room, in a few queries for all of them.
 *
 * @param roomIds of these rooms alone; of all where it is left out
 */
export async function readUnreadCounts(
  db: Database,
  { userId, roomIds }: { userId: string; roomIds?: readonly string[] },
): Promise<Map<string, UnreadRoom>> {
  const marks = await readMarks(db, userId, roomIds);
  const threads = await listUnreadThreads(db, userId, roomIds);
  const asked: Asked[] = [];
  for (const [roomId, room] of marks) {
    asked.push([roomId, '', room.placeOf(mainThread), room.from, room.upTo]);
    for (const threadId of threads.get(roomId) ?? []) {
      asked.push([roomId, threadId, room.placeOf(threadId), room.from, room.upTo]);
    }
  }
  const unread = new Map<string, UnreadRoom>();
  const of = (roomId: string) => {
    const room = unread.get(roomId) ?? { main: { notifications: 0, highlights: 0 }, threads: new Map() };
    unread.set(roomId, room);
    return room;
  };
  for (let start = 0; start < asked.length; start += countsAtOnce) {
    await breathe();
    const list = asJson(asked.slice(start, start + countsAtOnce));
    const redacted = await countRedacted(db, userId, list);
    for (const row of await count(db, userId, list)) {
      const less = redacted(row.room_id, row.thread_id);
      const counted = {
        notifications: atLeastNone(Number(row.notifies) - less.notifications),
        highlights: atLeastNone(Number(row.highlights) - less.highlights),
      };
      if (row.thread_id === '') of(row.room_id).main = counted;
      else if (counted.notifications > 0) of(row.room_id).threads.set(row.thread_id, counted);
    }
  }
  return unread;
}

const atLeastNone = (count: number) => Math.max(0, count);

/** A room and a thread, the place up to which it is read, and where what notifies everyone counts. */
type Asked = [roomId: string, threadId: string, after: number, from: number, upTo: number];

const asJson = (asked: readonly Asked[]) =>
  JSON.stringify(
    asked.map(([room_id, thread_id, after, from, upto]) => ({
      room_id,
      thread_id,
      after_place: Math.max(after, from),
      upto_place: Math.max(upto, after, from),
      read_place: after,
    })),
  );

type Marks = {
  /** Up to where a thread is read. */
  placeOf(threadId: string): number;
  from: number;
  upTo: number;
};

const endless = Number.MAX_SAFE_INTEGER;

async function readMarks(
  db: Database,
  userId: string,
  roomIds: readonly string[] | undefined,
): Promise<Map<string, Marks>> {
  const rooms = await db
    .selectFrom('memberships')
    .leftJoin('receipts', (join) =>
      join
        .onRef('receipts.room_id', '=', 'memberships.room_id')
        .onRef('receipts.user_id', '=', 'memberships.user_id'),
    )
    .select(['memberships.room_id', 'memberships.stream_ordering as joined'])
    .select(['receipts.thread_id', 'receipts.stream_ordering as read'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .$if(roomIds !== undefined, (all) => all.where('memberships.room_id', 'in', textsIn(db, roomIds ?? [])))
    .execute();
  const apart = new Map(
    (await db.selectFrom('push_apart').selectAll().where('user_id', '=', userId).execute()).map((row) => [
      row.room_id,
      row,
    ]),
  );
  const marks = new Map<string, Marks & { read: Map<string, number> }>();
  for (const { room_id, joined, thread_id, read } of rooms) {
    let room = marks.get(room_id);
    if (!room) {
      const limits = [apart.get(''), apart.get(room_id)].filter((row) => row !== undefined);
      const places = new Map<string, number>();
      room = {
        read: places,
        from: Math.max(0, ...limits.map((row) => row.from_place)),
        upTo: Math.min(endless, ...limits.map((row) => row.up_to_place ?? endless)),
        placeOf: (threadId) =>
          Math.max(places.get('') ?? -1, places.get(threadId) ?? -1, places.has('') ? -1 : joined),
      };
      marks.set(room_id, room);
    }
    if (thread_id !== null && read !== null) {
      room.read.set(thread_id, Math.max(read, room.read.get(thread_id) ?? 0));
    }
  }
  return marks;
}

/** The threads of the user's rooms that have gone on since the rooms as a whole were read. */
async function listUnreadThreads(
  db: Database,
  userId: string,
  roomIds: readonly string[] | undefined,
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('threads', 'threads.room_id', 'memberships.room_id')
    .select(['threads.room_id', 'threads.root_id'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .$if(roomIds !== undefined, (all) => all.where('memberships.room_id', 'in', textsIn(db, roomIds ?? [])))
    .where((eb) =>
      eb(
        'threads.latest',
        '>',
        eb.fn.coalesce(
          eb
            .selectFrom('receipts')
            .select(({ fn }) => fn.max('receipts.stream_ordering').as('read'))
            .whereRef('receipts.room_id', '=', 'memberships.room_id')
            .where('receipts.user_id', '=', userId)
            .where('receipts.thread_id', '=', ''),
          'memberships.stream_ordering',
        ),
      ),
    )
    .orderBy('threads.latest', 'desc')
    .limit(threadsPerRoom * 10)
    .execute();
  const threads = new Map<string, string[]>();
  for (const { room_id, root_id } of rows) {
    const those = threads.get(room_id) ?? [];
    if (those.length < threadsPerRoom) threads.set(room_id, [...those, root_id]);
  }
  return threads;
}

type Counted = {
  room_id: string;
  thread_id: string;
  notifies: number | string;
  highlights: number | string;
};

/** Differences of what stands in the last row up to two places, of everyone's rows and of the user's own. */
async function count(db: Database, userId: string, list: string): Promise<Counted[]> {
  const places = isPostgres(db)
    ? sql`select * from json_to_recordset(${list}::json) as given(room_id text, thread_id text,
        after_place bigint, upto_place bigint, read_place bigint)`
    : sql`select value ->> 'room_id' as room_id, value ->> 'thread_id' as thread_id,
        value ->> 'after_place' as after_place, value ->> 'upto_place' as upto_place,
        value ->> 'read_place' as read_place from json_each(${list})`;
  const last = (column: string, place: string, where = sql``) => sql`coalesce((
    select ${sql.ref(column)} from notifying_events as event where event.room_id = asked.room_id ${where}
      and event.stream_ordering <= ${sql.ref(place)} order by event.stream_ordering desc limit 1), 0)`;
  const bySender = sql`and event.sender = ${userId}`;
  const inThread = sql`and event.thread_id <> '' and event.thread_id = asked.thread_id`;
  const both = sql`${inThread} and event.sender = ${userId}`;
  const between = (column: string, where = sql``) =>
    sql`(${last(column, 'upto_place', where)} - ${last(column, 'after_place', where)})`;
  const everyones = (column: string) => sql`case when asked.thread_id = ''
    then ${between(column)} - ${between(`own_${column}`, bySender)}
    else ${between(`thread_${column}`, inThread)} - ${between(`own_thread_${column}`, both)} end`;
  const own = (column: string) => sql`coalesce((
      select ${sql.ref(column)} from own_notifications as own where own.user_id = ${userId}
        and own.room_id = asked.room_id and own.thread_id = asked.thread_id
      order by own.stream_ordering desc limit 1), 0) - coalesce((
      select ${sql.ref(column)} from own_notifications as own where own.user_id = ${userId}
        and own.room_id = asked.room_id and own.thread_id = asked.thread_id
        and own.stream_ordering <= asked.read_place
      order by own.stream_ordering desc limit 1), 0)`;
  // As a query that the driver knows as one that only reads, or it would wait for its turn to write.
  const counts = sql<Counted>`(
    select asked.room_id, asked.thread_id,
      ${everyones('notifies')} + ${own('notifies')} as notifies,
      ${everyones('highlights')} + ${own('highlights')} as highlights
    from (${places}) as asked)`;
  return db.selectFrom(counts.as('counts')).selectAll().execute();
}
