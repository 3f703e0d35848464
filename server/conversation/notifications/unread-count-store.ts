/** Unread counts of rooms and threads. */
import { type RawBuilder, sql } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce, builtOnceFor } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import { indexedBy } from './notification-store.ts';
import { type Action, isHighlighted, isNotified } from './push-rule.ts';

/** Threads of one room beyond these aren't counted. */
const threadsPerRoom = 1_000;

/** A joined room with one of the user's receipts in it; one entry per receipt. */
type JoinedRoom = {
  roomId: string;
  /** Stream position of the user's join. */
  joined: number;
  receipt: { threadId: string; position: number } | undefined;
  /** Whether any thread has events since the join. */
  hasThreads: boolean;
};

/** @param roomIds limits the list to these rooms */
export async function listRoomsWithReceipts(
  db: Database,
  userId: string,
  roomIds: readonly string[] | undefined,
): Promise<JoinedRoom[]> {
  const which = roomIds === undefined ? 'all' : 'some';
  const { rows } = await selectJoined(db, which, { userId, rooms: JSON.stringify(roomIds ?? []) });
  return rows.map((row) => ({
    roomId: row.room_id,
    joined: row.joined,
    receipt:
      row.thread_id === null || row.read === null
        ? undefined
        : { threadId: row.thread_id, position: row.read },
    hasThreads: Number(row.threads) > 0,
  }));
}

type Rooms = { userId: string; rooms: string };

const selectJoined = builtOnceFor((db, { userId, rooms }: Rooms, which: 'all' | 'some') =>
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

/** Returns `push_apart` of a user by room ID. */
export async function listSeparateRanges(
  db: Database,
  userId: string,
): Promise<Map<string, { from: number; upTo: number | null }>> {
  const { rows } = await selectApart(db, { userId });
  return new Map(rows.map((row) => [row.room_id, { from: row.from_place, upTo: row.up_to_place }]));
}

const selectApart = builtOnce((db, { userId }: { userId: string }) =>
  db.selectFrom('push_apart').selectAll().where('user_id', '=', userId),
);

/** Returns, by room ID, the threads with events since the user read the room as a whole. */
export async function listUnreadThreads(
  db: Database,
  userId: string,
  roomIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (roomIds.length === 0) return new Map();
  const { rows } = await selectThreads(db, { userId, rooms: JSON.stringify(roomIds) });
  const threads = new Map<string, string[]>();
  for (const { room_id, root_id } of rows) {
    const ofRoom = threads.get(room_id) ?? [];
    if (ofRoom.length < threadsPerRoom) threads.set(room_id, [...ofRoom, root_id]);
  }
  return threads;
}

const selectThreads = builtOnce((db, { userId, rooms }: Rooms) =>
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

export type UnreadCount = { notifications: number; highlights: number };

/** A room's main timeline or thread, and the stream positions between which its events are unread. */
export type UnreadRange = {
  roomId: string;
  /** Empty for the main timeline. */
  threadId: string;
  read: number;
  /** Events that notify everyone count for this user only after one position and up to another. */
  from: number;
  upTo: number;
};

/** Counts unread events in each range. */
export async function countUnread(
  db: Database,
  userId: string,
  ranges: readonly UnreadRange[],
): Promise<(UnreadCount & { roomId: string; threadId: string })[]> {
  const json = JSON.stringify(
    ranges.map(({ roomId, threadId, read, from, upTo }) => ({
      ...{ room_id: roomId, thread_id: threadId },
      after_position: Math.max(read, from),
      upto_position: Math.max(upTo, read, from),
      read_position: read,
    })),
  );
  const { rows } = await selectCounts(db, { userId, json });
  const redacted = rows.some((row) => Number(row.redacted) > 0)
    ? await countRedacted(db, userId, json)
    : new Map<string, UnreadCount>();
  return rows.map((row) => {
    const { notifications = 0, highlights = 0 } = redacted.get(`${row.room_id} ${row.thread_id}`) ?? {};
    return {
      roomId: row.room_id,
      threadId: row.thread_id,
      notifications: Math.max(0, Number(row.notifies) - notifications),
      highlights: Math.max(0, Number(row.highlights) - highlights),
    };
  });
}

/** The CTE `ranges`. Materialized, or SQLite would parse the JSON once per column reference. */
const rangesIn = (db: Database, json: string): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`ranges as (select * from json_to_recordset(cast(${json} as json)) as listed(room_id text, thread_id text,
        after_position bigint, upto_position bigint, read_position bigint))`
    : sql`ranges as materialized (select value ->> 'room_id' as room_id, value ->> 'thread_id' as thread_id,
        value ->> 'after_position' as after_position, value ->> 'upto_position' as upto_position,
        value ->> 'read_position' as read_position from json_each(${json}))`;

type CountRow = Record<'room_id' | 'thread_id', string> &
  Record<'notifies' | 'highlights' | 'redacted', number | string>;

/** Subtracts the running totals at two positions, of the events of everyone, of the user's own, and of the differences. */
const selectCounts = builtOnce((db, { userId, json }: { userId: string; json: string }) => {
  const last = (
    column: string,
    position: string,
    index = indexedBy(db, 'thread'),
    where = sql``,
  ) => sql`coalesce((
    select ${sql.ref(column)} from notifying_events as event ${index}
      where event.room_id = ranges.room_id and event.thread_id = ranges.thread_id ${where}
      and event.stream_ordering <= ${sql.ref(position)} order by event.stream_ordering desc limit 1), 0)`;
  const lastSent = (column: string, position: string) =>
    last(`own_${column}`, position, indexedBy(db, 'sender'), sql`and event.sender = ${userId}`);
  const shared = (column: string) => sql`(
    ${last(column, 'upto_position')} - ${last(column, 'after_position')}
    - ${lastSent(column, 'upto_position')} + ${lastSent(column, 'after_position')})`;
  const lastOwn = (column: string, where = sql``) => sql`coalesce((
    select ${sql.ref(column)} from own_notifications as own where own.user_id = ${userId}
      and own.room_id = ranges.room_id and own.thread_id = ranges.thread_id ${where}
      order by own.stream_ordering desc limit 1), 0)`;
  const unread = (column: string) => sql`${shared(column)} + ${lastOwn(column)}
    - ${lastOwn(column, sql`and own.stream_ordering <= ranges.read_position`)}`;
  // As a subquery, because the driver would wait for the write lock before a statement that begins with `with`.
  const counts = sql<CountRow>`(
    with ${rangesIn(db, json)}
    select ranges.room_id, ranges.thread_id, ${unread('notifies')} as notifies, ${unread('highlights')} as highlights,
      (select count(*) from (select 1 from events where events.room_id = ranges.room_id
        and events.redacted_by is not null and events.stream_ordering > ranges.read_position limit 1) as one) as redacted
    from ranges)`;
  return db.selectFrom(counts.as('counts')).selectAll();
});

/** Only this many of the newest redacted events per room are subtracted from counts. */
const redactedPerRoom = 500;

type RedactedRow = { room_id: string; thread_id: string; shared: string | null; own: string | null };

/** Counts notifications of events that were redacted since, by room and thread ID. */
async function countRedacted(db: Database, userId: string, json: string): Promise<Map<string, UnreadCount>> {
  const { rows } = await selectRedacted(db, { userId, json, most: redactedPerRoom });
  const counts = new Map<string, UnreadCount>();
  for (const { room_id, thread_id, shared, own } of rows) {
    const actions = readJson(own ?? shared ?? '[]') as Action[];
    const key = `${room_id} ${thread_id}`;
    const { notifications = 0, highlights = 0 } = counts.get(key) ?? {};
    counts.set(key, {
      notifications: notifications + Number(isNotified(actions)),
      highlights: highlights + Number(isHighlighted(actions)),
    });
  }
  return counts;
}

const selectRedacted = builtOnce(
  (db, { userId, json, most }: { userId: string; json: string; most: number }) => {
    const positions = sql`select stream_ordering from events where room_id = ranges.room_id
      and redacted_by is not null and stream_ordering > ranges.read_position
      order by stream_ordering desc limit ${most}`;
    const redacted = isPostgres(db)
      ? sql`cross join lateral (${positions}) as redacted`
      : sql`cross join events as redacted on redacted.stream_ordering in (${positions})`;
    const found = sql<RedactedRow>`(
      with ${rangesIn(db, json)}
      select ranges.room_id, ranges.thread_id, event.actions as shared, own.actions as own
      from ranges ${redacted}
      left join notifying_events as event
        on event.room_id = ranges.room_id and event.stream_ordering = redacted.stream_ordering
        and event.thread_id = ranges.thread_id and event.sender <> ${userId}
        and event.stream_ordering > ranges.after_position and event.stream_ordering <= ranges.upto_position
      left join own_notifications as own
        on own.user_id = ${userId} and own.room_id = ranges.room_id and own.thread_id = ranges.thread_id
        and own.stream_ordering = redacted.stream_ordering
      where event.actions is not null or own.actions is not null)`;
    return db.selectFrom(found.as('found')).selectAll();
  },
);
