/**
 * Notifications of events. An event that notifies every member except its sender takes one row, regardless of the
 * room's size; users with another result have rows of their own. Rows contain running totals, so that a count is the
 * difference of two rows.
 */
import { type Compilable, sql } from 'kysely';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { Action } from './push-rule.ts';

type NotifyingEvent = {
  roomId: string;
  position: number;
  /** Empty for the main timeline. */
  threadId: string;
  sender: string;
  highlight: boolean;
  actions: readonly Action[];
};

/** Inserts an event that notifies everyone. Events of a room are inserted in order. */
export async function insertNotifyingEvent(tx: Tx, event: NotifyingEvent): Promise<void> {
  const { highlight, actions } = event;
  await insertEvent(tx, { ...event, highlight: Number(highlight), actions: JSON.stringify(actions) });
}

type EventValues = Omit<NotifyingEvent, 'highlight' | 'actions'> & { highlight: number; actions: string };

const insertEvent = builtOnce(
  (db, { roomId, position, threadId, sender, highlight, actions }: EventValues): Compilable<unknown> => {
    const last = (column: string, index = indexedBy(db, 'thread'), where = sql``) => sql`coalesce((
      select ${sql.ref(column)} from notifying_events ${index}
      where room_id = ${roomId} and thread_id = ${threadId} ${where} order by stream_ordering desc limit 1), 0)`;
    const lastOwn = (column: string) => last(column, indexedBy(db, 'sender'), sql`and sender = ${sender}`);
    const insert = sql`insert into notifying_events
        (room_id, stream_ordering, thread_id, sender, notifies, highlights, own_notifies, own_highlights, actions)
      select cast(${roomId} as text), cast(${position} as bigint), cast(${threadId} as text), cast(${sender} as text),
        ${last('notifies')} + 1, ${last('highlights')} + cast(${highlight} as bigint),
        ${lastOwn('own_notifies')} + 1, ${lastOwn('own_highlights')} + cast(${highlight} as bigint),
        cast(${actions} as text)`;
    return { compile: () => insert.compile(db) };
  },
);

/** Without statistics, SQLite would scan the room in primary key order. */
export const indexedBy = (db: Database, what: 'thread' | 'sender') =>
  isPostgres(db) ? sql`` : sql`indexed by ${sql.ref(`notifying_events_${what}`)}`;

export type OwnNotification = {
  userId: string;
  roomId: string;
  /** Empty for the main timeline. */
  threadId: string;
  position: number;
  /** Differences from the notification that all members share. */
  notifies: number;
  highlights: number;
  actions: readonly Action[];
};

/** Inserts notifications, at most one per user and thread. */
export async function insertOwnNotifications(
  tx: Tx,
  notifications: readonly OwnNotification[],
): Promise<void> {
  const json = JSON.stringify(
    notifications.map(({ userId, roomId, threadId, position, notifies, highlights, actions }) => ({
      ...{ user_id: userId, room_id: roomId, thread_id: threadId, position, notifies, highlights },
      actions: JSON.stringify(actions),
    })),
  );
  await insertOwn(tx, { json });
}

const insertOwn = builtOnce((db, { json }: { json: string }): Compilable<unknown> => {
  const rows = isPostgres(db)
    ? sql`select * from json_to_recordset(cast(${json} as json)) as rows(user_id text, room_id text,
        thread_id text, position bigint, notifies bigint, highlights bigint, actions text)`
    : sql`select value ->> 'user_id' as user_id, value ->> 'room_id' as room_id,
        value ->> 'thread_id' as thread_id, value ->> 'position' as position, value ->> 'notifies' as notifies,
        value ->> 'highlights' as highlights, value ->> 'actions' as actions from json_each(${json})`;
  const last = (column: string) => sql`coalesce((
    select ${sql.ref(`own.${column}`)} from own_notifications as own
    where own.user_id = new.user_id and own.room_id = new.room_id and own.thread_id = new.thread_id
    order by own.stream_ordering desc limit 1), 0)`;
  const insert = sql`insert into own_notifications
      (user_id, room_id, thread_id, stream_ordering, notifies, highlights, actions)
    select new.user_id, new.room_id, new.thread_id, new.position,
      ${last('notifies')} + new.notifies, ${last('highlights')} + new.highlights, new.actions
    from (${rows}) as new`;
  return { compile: () => insert.compile(db) };
});

/** Rows per purge: a few milliseconds of work. */
const rowsAtOnce = 500;

/** Deletes some of a room's notifications; false if there were none. Call it before the room's members are purged. */
export async function purgeNotifications(tx: Tx, roomId: string): Promise<boolean> {
  const positions = tx
    .selectFrom('notifying_events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .limit(rowsAtOnce);
  const shared = await tx
    .deleteFrom('notifying_events')
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', positions)
    .executeTakeFirst();
  if (shared.numDeletedRows > 0n) return true;
  const member = await tx
    .selectFrom('memberships')
    .innerJoin('own_notifications as own', (join) =>
      join.onRef('own.user_id', '=', 'memberships.user_id').onRef('own.room_id', '=', 'memberships.room_id'),
    )
    .select('own.user_id')
    .where('memberships.room_id', '=', roomId)
    .limit(1)
    .executeTakeFirst();
  if (!member) return false;
  const ownPositions = tx
    .selectFrom('own_notifications')
    .select('stream_ordering')
    .where('user_id', '=', member.user_id)
    .where('room_id', '=', roomId)
    .limit(rowsAtOnce);
  await tx
    .deleteFrom('own_notifications')
    .where('user_id', '=', member.user_id)
    .where('room_id', '=', roomId)
    .where('stream_ordering', 'in', ownPositions)
    .execute();
  return true;
}
