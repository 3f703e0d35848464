/** Purges history and whole rooms in bounded chunks. Call each function in a transaction. */
import { purgeNotifications } from '../../conversation/notifications/notification-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { purgeEventReports } from '../reports/event-report-store.ts';
import { purgeRoomReports } from '../reports/room-report-store.ts';

/** Rows per chunk: some milliseconds of work. */
const chunkSize = 500;

/**
 * Returns the stream position of the first event to keep when purging up to a time: the event after the newest one sent
 * by then. If that one is the room's last event, it is kept. Undefined if no event is old enough.
 */
export async function findPositionAfterTime(
  db: Database,
  roomId: string,
  timestampMs: number,
): Promise<number | undefined> {
  const readable = db
    .selectFrom('events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .where('purged', '=', 0);
  const newest = await readable
    .where('origin_server_ts', '<=', timestampMs)
    .orderBy('stream_ordering', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return undefined;
  const next = await readable
    .where('stream_ordering', '>', newest.stream_ordering)
    .orderBy('stream_ordering')
    .limit(1)
    .executeTakeFirst();
  return (next ?? newest).stream_ordering;
}

type HistoryChunk = {
  /** Stream position of the first event to keep. */
  before: number;
  /** Whether to purge events that an earlier purge has only hidden, or visible ones. */
  hidden: boolean;
  /** Stream position where the last chunk ended. */
  after: number;
  deleteMessages: boolean;
};

/**
 * Purges some of a room's history. State events are only hidden, because the state at later events builds on them;
 * messages are hidden or deleted.
 *
 * @returns the stream position where the chunk ended and its number of events; undefined if none were left
 */
export async function purgeHistoryChunk(
  db: Database,
  roomId: string,
  chunk: HistoryChunk,
): Promise<{ end: number; events: number } | undefined> {
  const rows = await db
    .selectFrom('events')
    .select(['stream_ordering', 'state_key'])
    .where('room_id', '=', roomId)
    .where('purged', '=', chunk.hidden ? 1 : 0)
    .where('stream_ordering', '>', chunk.after)
    .where('stream_ordering', '<', chunk.before)
    .orderBy('stream_ordering')
    .limit(chunkSize)
    .execute();
  const last = rows.at(-1);
  if (!last) return undefined;

  const isDeleted = (row: (typeof rows)[number]) => chunk.deleteMessages && row.state_key === null;
  const deleted = rows.filter(isDeleted).map((row) => row.stream_ordering);
  const kept = rows.filter((row) => !isDeleted(row)).map((row) => row.stream_ordering);
  if (deleted.length > 0) await db.deleteFrom('events').where('stream_ordering', 'in', deleted).execute();
  if (kept.length > 0 && !chunk.hidden) {
    await db.updateTable('events').set({ purged: 1 }).where('stream_ordering', 'in', kept).execute();
  }
  return { end: last.stream_ordering, events: chunk.hidden ? deleted.length : rows.length };
}

/**
 * Deletes some of a room's rows. Returns false if fewer were left than one purge deletes, so that writers who keep adding
 * can't keep it going.
 */
type PurgeChunk = (tx: Tx, roomId: string) => Promise<boolean>;

/** Deletes some of a room's data. Returns false if only the room's own row is left. */
export async function purgeRoomChunk(db: Tx, roomId: string): Promise<boolean> {
  const steps: PurgeChunk[] = [
    // These look up the room's members.
    purgeNotifications,
    purgeEventReports,
    purgeRoomReports,
    purgeOfUsers('memberships'),
    purgeState,
    purgeOfUsers('account_data'),
    purgeOfUsers('receipts'),
    purgeOfUsers('thread_subscriptions'),
    purgeEvents,
  ];
  for (const purge of steps) {
    if (await purge(db, roomId)) return true;
  }
  return false;
}

async function purgeState(db: Database, roomId: string): Promise<boolean> {
  // Invalidates the state that processes have cached for this head.
  await db.updateTable('rooms').set({ head_event_id: null }).where('room_id', '=', roomId).execute();
  const events = db
    .selectFrom('current_state')
    .select('event_id')
    .where('room_id', '=', roomId)
    .limit(chunkSize);
  const result = await db
    .deleteFrom('current_state')
    .where('room_id', '=', roomId)
    .where('event_id', 'in', events)
    .executeTakeFirst();
  return result.numDeletedRows >= chunkSize;
}

const purgeOfUsers =
  (table: 'memberships' | 'account_data' | 'receipts' | 'thread_subscriptions') =>
  async (db: Database, roomId: string): Promise<boolean> => {
    const users = db.selectFrom(table).select('user_id').where('room_id', '=', roomId).limit(chunkSize);
    const result = await db
      .deleteFrom(table)
      .where('room_id', '=', roomId)
      .where('user_id', 'in', users)
      .executeTakeFirst();
    return result.numDeletedRows >= chunkSize;
  };

async function purgeEvents(db: Database, roomId: string): Promise<boolean> {
  const positions = db
    .selectFrom('events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .limit(chunkSize);
  const result = await db.deleteFrom('events').where('stream_ordering', 'in', positions).executeTakeFirst();
  return result.numDeletedRows >= chunkSize;
}
