/** What counts of unread messages are made of: the rooms and threads of a user, and what notified somebody there. */
import { sql } from 'kysely';
import { builtOnce, builtOnceFor } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import { askedPlaces, by, type UnreadCount } from './notification-store.ts';

/** More threads of one room than these are not counted. */
const threadsPerRoom = 1_000;

/** A room that a user is in, and one of the user's receipts there; each has a row of its own. */
export type JoinedRoom = {
  roomId: string;
  /** The place at which the user came. */
  joined: number;
  receipt: { threadId: string; place: number } | undefined;
  /** Whether any of its threads has gone on since the user came. */
  hasThreads: boolean;
};

/** The rooms that a user is in: all of them, or those among these. */
export async function listJoinedRooms(
  db: Database,
  userId: string,
  roomIds: readonly string[] | undefined,
): Promise<JoinedRoom[]> {
  const which = roomIds === undefined ? 'all' : 'some';
  const { rows } = await selectMarks(db, which, { userId, rooms: JSON.stringify(roomIds ?? []) });
  return rows.map((row) => ({
    roomId: row.room_id,
    joined: row.joined,
    receipt:
      row.thread_id === null || row.read === null ? undefined : { threadId: row.thread_id, place: row.read },
    hasThreads: Number(row.threads) > 0,
  }));
}

type OfUser = { userId: string; rooms: string };

const selectMarks = builtOnceFor((db, { userId, rooms }: OfUser, which: 'all' | 'some') =>
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

/** Between which places everyone's notifications are a user's, by room; the empty room stands for all of them. */
export async function readApart(
  db: Database,
  userId: string,
): Promise<Map<string, { from: number; upTo: number | null }>> {
  const { rows } = await selectApart(db, { userId });
  return new Map(rows.map((row) => [row.room_id, { from: row.from_place, upTo: row.up_to_place }]));
}

const selectApart = builtOnce((db, { userId }: { userId: string }) =>
  db.selectFrom('push_apart').selectAll().where('user_id', '=', userId),
);

/** The threads of these rooms of the user's that have gone on since the rooms as a whole were read. */
export async function listUnreadThreads(
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

export type CountedPlace = UnreadCount & {
  roomId: string;
  threadId: string;
  /** Whether anything was redacted there since it was read. */
  isRedacted: boolean;
};

/**
 * How much of rooms and threads is unread, what was redacted since among it.
 *
 * @param list as `asJson` gives it
 */
export async function countUnread(db: Database, userId: string, list: string): Promise<CountedPlace[]> {
  const { rows } = await count(db, { userId, list });
  return rows.map((row) => ({
    roomId: row.room_id,
    threadId: row.thread_id,
    notifications: Number(row.notifies),
    highlights: Number(row.highlights),
    isRedacted: Number(row.redacted) > 0,
  }));
}

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
