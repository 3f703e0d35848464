/** Rooms and threads of which is asked how much is unread, as a table within a query. */
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { type Action, isHighlighted, isNotified } from './push-rule.ts';

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

/**
 * What notifies whom: events that notify everyone in a room are one row each, whoever is notified otherwise has rows of
 * their own. Rows say how many there are so far, so that no count reads more than a few of them.
 */

export type UnreadCount = { notifications: number; highlights: number };

type NotifyingEvent = {
  roomId: string;
  place: number;
  /** Empty in the main thread. */
  threadId: string;
  sender: string;
  highlight: boolean;
  actions: readonly Action[];
};

/** Writes down that an event notifies everyone. Events of a room come in their order. */
export async function insertNotifyingEvent(tx: Tx, event: NotifyingEvent): Promise<void> {
  const { roomId, place, threadId, sender, highlight, actions } = event;
  const values = { roomId, place, sender, highlight: Number(highlight), actions: JSON.stringify(actions) };
  if (threadId === '') await insertMain(tx, values);
  else await insertThreaded(tx, { ...values, threadId });
}

type Main = { roomId: string; place: number; sender: string; highlight: number; actions: string };

const insertMain = builtOnce((db, { roomId, place, sender, highlight, actions }: Main) => {
  const last = (column: string) => sql`coalesce((select ${sql.ref(column)} from notifying_events
    where room_id = ${roomId} order by stream_ordering desc limit 1), 0)`;
  const own = (
    column: string,
  ) => sql`coalesce((select ${sql.ref(column)} from notifying_events ${by(db, 'sender')}
    where room_id = ${roomId} and sender = ${sender} order by stream_ordering desc limit 1), 0)`;
  return insert(db, { roomId, place, threadId: sql`''`, sender, actions }, [
    sql`${last('notifies')} + 1`,
    sql`${last('highlights')} + cast(${highlight} as bigint)`,
    sql`${own('own_notifies')} + 1`,
    sql`${own('own_highlights')} + cast(${highlight} as bigint)`,
    ...[sql`0`, sql`0`, sql`0`, sql`0`],
  ]);
});

const insertThreaded = builtOnce(
  (db, { roomId, place, threadId, sender, highlight, actions }: Main & { threadId: string }) => {
    const last = (column: string, where: RawBuilder<unknown> = sql`1 = 1`, index = sql``) =>
      sql`coalesce((select ${sql.ref(column)} from notifying_events ${index}
        where room_id = ${roomId} and ${where} order by stream_ordering desc limit 1), 0)`;
    const bySender = sql`sender = ${sender}`;
    const inThread = sql`thread_id <> '' and thread_id = ${threadId}`;
    const both = sql`thread_id <> '' and thread_id = ${threadId} and sender = ${sender}`;
    return insert(db, { roomId, place, threadId: sql`cast(${threadId} as text)`, sender, actions }, [
      last('notifies'),
      last('highlights'),
      last('own_notifies', bySender, by(db, 'sender')),
      last('own_highlights', bySender, by(db, 'sender')),
      sql`${last('thread_notifies', inThread, by(db, 'thread'))} + 1`,
      sql`${last('thread_highlights', inThread, by(db, 'thread'))} + cast(${highlight} as bigint)`,
      sql`${last('own_thread_notifies', both, by(db, 'thread_sender'))} + 1`,
      sql`${last('own_thread_highlights', both, by(db, 'thread_sender'))} + cast(${highlight} as bigint)`,
    ]);
  },
);

/** SQLite would go back through the room until it meets one of them, however long ago that was. */
export const by = (db: Database, what: 'sender' | 'thread' | 'thread_sender') =>
  isPostgres(db) ? sql`` : sql`indexed by ${sql.ref(`notifying_events_${what}`)}`;

type Where = {
  roomId: string;
  place: number;
  threadId: RawBuilder<unknown>;
  sender: string;
  actions: string;
};

const insert = (
  db: Database,
  { roomId, place, threadId, sender, actions }: Where,
  numbers: RawBuilder<unknown>[],
): Compilable<unknown> => ({
  compile: () =>
    sql`insert into notifying_events (room_id, stream_ordering, thread_id, sender,
        notifies, highlights, own_notifies, own_highlights,
        thread_notifies, thread_highlights, own_thread_notifies, own_thread_highlights, actions)
      select cast(${roomId} as text), cast(${place} as bigint), ${threadId}, cast(${sender} as text),
        ${sql.join(numbers)}, cast(${actions} as text)`.compile(db),
});

export type OwnNotification = {
  userId: string;
  roomId: string;
  /** Empty in the main thread. */
  threadId: string;
  place: number;
  /** How much more than everyone, or less. */
  notifies: number;
  highlights: number;
  actions: readonly Action[];
};

/** Writes down who is notified otherwise than everyone, by one statement: nobody twice in one thread. */
export async function insertOwnNotifications(
  tx: Tx,
  notifications: readonly OwnNotification[],
): Promise<void> {
  const given = JSON.stringify(
    notifications.map(({ userId, roomId, threadId, place, notifies, highlights, actions }) => ({
      ...{ user_id: userId, room_id: roomId, thread_id: threadId, place, notifies, highlights },
      actions: JSON.stringify(actions),
    })),
  );
  await insertOwn(tx, { given });
}

const insertOwn = builtOnce((db, { given }: { given: string }): Compilable<unknown> => {
  const rows = isPostgres(db)
    ? sql`select * from json_to_recordset(cast(${given} as json)) as given(user_id text, room_id text,
        thread_id text, place bigint, notifies bigint, highlights bigint, actions text)`
    : sql`select value ->> 'user_id' as user_id, value ->> 'room_id' as room_id,
        value ->> 'thread_id' as thread_id, value ->> 'place' as place, value ->> 'notifies' as notifies,
        value ->> 'highlights' as highlights, value ->> 'actions' as actions from json_each(${given})`;
  const soFar = (column: string) => sql`coalesce((
    select ${sql.ref(`own.${column}`)} from own_notifications as own
    where own.user_id = new.user_id and own.room_id = new.room_id and own.thread_id = new.thread_id
    order by own.stream_ordering desc limit 1), 0)`;
  return {
    compile: () =>
      sql`insert into own_notifications
          (user_id, room_id, thread_id, stream_ordering, notifies, highlights, actions)
        select new.user_id, new.room_id, new.thread_id, new.place,
          ${soFar('notifies')} + new.notifies, ${soFar('highlights')} + new.highlights, new.actions
        from (${rows}) as new`.compile(db),
  };
});

/** How many rows are purged at once: some milliseconds of work. */
const pieceSize = 500;

/**
 * Deletes a piece of what is kept of a room's notifications; false where nothing was left. While it is known who was in
 * the room.
 */
export async function purgeNotifications(tx: Tx, roomId: string): Promise<boolean> {
  const everyones = tx
    .selectFrom('notifying_events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  const shared = await tx
    .deleteFrom('notifying_events')
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', everyones)
    .executeTakeFirst();
  if (shared.numDeletedRows > 0n) return true;
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('own_notifications as own', (join) =>
      join.onRef('own.user_id', '=', 'memberships.user_id').onRef('own.room_id', '=', 'memberships.room_id'),
    )
    .select('own.user_id')
    .where('memberships.room_id', '=', roomId)
    .limit(1)
    .executeTakeFirst();
  if (!row) return false;
  const places = tx
    .selectFrom('own_notifications')
    .select('stream_ordering')
    .where('user_id', '=', row.user_id)
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  await tx
    .deleteFrom('own_notifications')
    .where('user_id', '=', row.user_id)
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', places)
    .execute();
  return true;
}

/** What notified somebody and was redacted since: it is unread no more. Most rooms have next to nothing of that. */

/** So many of the newest redacted events of a room are told from others. */
const redactedPerRoom = 500;

type Row = { room_id: string; thread_id: string; everyones: string | null; own: string | null };

/**
 * How much of what was counted was redacted since, by room and thread.
 *
 * @param list rooms and threads, as counts are asked for
 */
export async function countRedacted(
  db: Database,
  userId: string,
  list: string,
): Promise<(roomId: string, threadId: string) => UnreadCount> {
  const { rows } = await selectRedacted(db, { userId, list, most: redactedPerRoom });
  const counts = new Map<string, UnreadCount>();
  for (const { room_id, thread_id, everyones, own } of rows) {
    // What is the user's own says what everyone's has come to.
    const actions = readJson(own ?? everyones ?? '[]') as Action[];
    const { notifications, highlights } = counts.get(`${room_id} ${thread_id}`) ?? none;
    counts.set(`${room_id} ${thread_id}`, {
      notifications: notifications + Number(isNotified(actions)),
      highlights: highlights + Number(isHighlighted(actions)),
    });
  }
  return (roomId, threadId) => counts.get(`${roomId} ${threadId}`) ?? none;
}

const none: UnreadCount = { notifications: 0, highlights: 0 };

const selectRedacted = builtOnce(
  (db, { userId, list, most }: { userId: string; list: string; most: number }) => {
    const places = sql`select stream_ordering from events where room_id = asked.room_id
      and redacted_by is not null and stream_ordering > asked.read_place
      order by stream_ordering desc limit ${most}`;
    const redacted = isPostgres(db)
      ? sql`cross join lateral (${places}) as redacted`
      : sql`cross join events as redacted on redacted.stream_ordering in (${places})`;
    const found = sql<Row>`(
      with ${askedPlaces(db, list)}
      select asked.room_id, asked.thread_id, event.actions as everyones, own.actions as own
      from asked ${redacted}
      left join notifying_events as event
        on event.room_id = asked.room_id and event.stream_ordering = redacted.stream_ordering
        and event.thread_id = asked.thread_id and event.sender <> ${userId}
        and event.stream_ordering > asked.after_place and event.stream_ordering <= asked.upto_place
      left join own_notifications as own
        on own.user_id = ${userId} and own.room_id = asked.room_id and own.thread_id = asked.thread_id
        and own.stream_ordering = redacted.stream_ordering
      where event.actions is not null or own.actions is not null)`;
    return db.selectFrom(found.as('found')).selectAll();
  },
);
