/** How much of each room is unread. Matrix specification, client-server API, "Receiving notifications". */
import { sql } from 'kysely';
import { breathe } from '../core/event-loop-turns.ts';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import { textsOf } from '../database/listed.ts';
import type { Database } from '../database/schema.ts';
import { mainThread } from '../receipts/thread-of.ts';
import { type AskedPlace, asJson, askedPlaces } from './asked-places.ts';
import { by, type UnreadCount } from './notification-store.ts';
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
  const threads = await listUnreadThreads(
    db,
    userId,
    [...marks].flatMap(([roomId, { hasThreads }]) => (hasThreads ? [roomId] : [])),
  );
  const asked: AskedPlace[] = [];
  for (const [roomId, room] of marks) {
    asked.push({ roomId, threadId: '', ...room, read: room.placeOf(mainThread) });
    for (const threadId of threads.get(roomId) ?? []) {
      asked.push({ roomId, threadId, ...room, read: room.placeOf(threadId) });
    }
  }
  const unread = new Map<string, UnreadRoom>();
  const of = (roomId: string) => {
    const room = unread.get(roomId) ?? { main: none, threads: new Map() };
    unread.set(roomId, room);
    return room;
  };
  for (let start = 0; start < asked.length; start += countsAtOnce) {
    await breathe();
    const list = asJson(asked.slice(start, start + countsAtOnce));
    const { rows } = await count(db, { userId, list });
    const redacted = rows.some((row) => Number(row.redacted) > 0)
      ? await countRedacted(db, userId, list)
      : () => none;
    for (const row of rows) {
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

const none: UnreadCount = { notifications: 0, highlights: 0 };
const atLeastNone = (count: number) => Math.max(0, count);

type Marks = {
  /** Whether any of its threads has gone on since the user came. */
  hasThreads: boolean;
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
  const { rows: rooms } = await selectMarks(db, whichOf(roomIds), {
    userId,
    rooms: JSON.stringify(roomIds ?? []),
  });
  const apart = new Map((await selectApart(db, { userId })).rows.map((row) => [row.room_id, row]));
  const marks = new Map<string, Marks & { read: Map<string, number> }>();
  for (const { room_id, joined, thread_id, read, threads } of rooms) {
    let room = marks.get(room_id);
    if (!room) {
      const limits = [apart.get(''), apart.get(room_id)].filter((row) => row !== undefined);
      const places = new Map<string, number>();
      room = {
        read: places,
        hasThreads: Number(threads) > 0,
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

type Which = 'all' | 'some';
type OfUser = { userId: string; rooms: string };

const whichOf = (roomIds: readonly string[] | undefined): Which => (roomIds === undefined ? 'all' : 'some');

const selectMarks = builtOnceFor((db, { userId, rooms }: OfUser, which: Which) =>
  db
    .selectFrom('memberships')
    .leftJoin('receipts', (join) =>
      join
        .onRef('receipts.room_id', '=', 'memberships.room_id')
        .onRef('receipts.user_id', '=', 'memberships.user_id'),
    )
    .select(['memberships.room_id', 'memberships.stream_ordering as joined'])
    .select(['receipts.thread_id', 'receipts.stream_ordering as read'])
    .select(
      sql<
        number | string
      >`(select count(*) from (select 1 from threads where threads.room_id = memberships.room_id
        and threads.latest > memberships.stream_ordering limit 1) as one)`.as('threads'),
    )
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .$if(which === 'some', (all) =>
      all.where('memberships.room_id', 'in', sql<string>`${textsOf(db, rooms)}`),
    ),
);

const selectApart = builtOnce((db, { userId }: { userId: string }) =>
  db.selectFrom('push_apart').selectAll().where('user_id', '=', userId),
);

/** The threads of these rooms of the user's that have gone on since the rooms as a whole were read. */
async function listUnreadThreads(
  db: Database,
  userId: string,
  roomIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (roomIds.length === 0) return new Map();
  const { rows } = await selectThreads(db, { userId, rooms: JSON.stringify(roomIds) });
  const threads = new Map<string, string[]>();
  for (const { room_id, root_id } of rows) {
    const those = threads.get(room_id) ?? [];
    if (those.length < threadsPerRoom) threads.set(room_id, [...those, root_id]);
  }
  return threads;
}

const selectThreads = builtOnce((db, { userId, rooms }: OfUser) =>
  db
    .selectFrom('memberships')
    .innerJoin('threads', 'threads.room_id', 'memberships.room_id')
    .select(['threads.room_id', 'threads.root_id'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .where('memberships.room_id', 'in', sql<string>`${textsOf(db, rooms)}`)
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
    .limit(threadsPerRoom * 10),
);

type Counted = {
  room_id: string;
  thread_id: string;
  notifies: number | string;
  highlights: number | string;
  /** Not 0 where anything was redacted since. */
  redacted: number | string;
};

/** Differences of what stands in the last row up to two places, of everyone's rows and of the user's own. */
const count = builtOnce((db, { userId, list }: { userId: string; list: string }) => {
  const everything = { index: sql``, where: sql`` };
  const bySender = { index: by(db, 'sender'), where: sql`and event.sender = ${userId}` };
  const inThread = {
    index: by(db, 'thread'),
    where: sql`and event.thread_id <> '' and event.thread_id = asked.thread_id`,
  };
  const both = { index: by(db, 'thread_sender'), where: sql`${inThread.where} ${bySender.where}` };
  const last = (column: string, place: string, { index, where }: typeof everything) => sql`coalesce((
    select ${sql.ref(column)} from notifying_events as event ${index} where event.room_id = asked.room_id ${where}
      and event.stream_ordering <= ${sql.ref(place)} order by event.stream_ordering desc limit 1), 0)`;
  const between = (column: string, of: typeof everything) =>
    sql`(${last(column, 'upto_place', of)} - ${last(column, 'after_place', of)})`;
  const everyones = (column: string) => sql`case when asked.thread_id = ''
    then ${between(column, everything)} - ${between(`own_${column}`, bySender)}
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
    with ${askedPlaces(db, list)}
    select asked.room_id, asked.thread_id,
      ${everyones('notifies')} + ${own('notifies')} as notifies,
      ${everyones('highlights')} + ${own('highlights')} as highlights,
      (select count(*) from (select 1 from events where events.room_id = asked.room_id
        and events.redacted_by is not null and events.stream_ordering > asked.read_place limit 1) as one) as redacted
    from asked)`;
  return db.selectFrom(counts.as('counts')).selectAll();
});
