/** Removing history and whole rooms, a bounded piece at a time. Each function belongs in a transaction. */
import { purgeNotifications } from '../../conversation/notifications/notification-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { purgeEventReports } from '../reports/event-report-store.ts';
import { purgeRoomReports } from '../reports/room-report-store.ts';

/** How many rows one piece is: some milliseconds of work. */
const pieceSize = 500;

/**
 * The place of the first event that stays where everything up to a time goes: the one after the newest that was sent by
 * then, or this one itself, since a room keeps its last. Undefined where nothing is so old.
 */
export async function findPlaceAfterTime(
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

export type HistoryPiece = {
  /** Everything before this place goes. */
  before: number;
  /** Whether this piece is of events that an earlier purge has hidden, or of those still to be read. */
  hidden: boolean;
  /** Where the last piece ended. */
  after: number;
  deleteMessages: boolean;
};

/**
 * Takes one piece of a room's history away from its readers. State events are kept, hidden, because the
 * state of what is left builds on them; messages are kept the same way or deleted.
 *
 * @returns where the piece ended and how many events it had; undefined where nothing was left
 */
export async function purgeHistoryPiece(
  db: Database,
  roomId: string,
  piece: HistoryPiece,
): Promise<{ end: number; events: number } | undefined> {
  const rows = await db
    .selectFrom('events')
    .select(['stream_ordering', 'state_key'])
    .where('room_id', '=', roomId)
    .where('purged', '=', piece.hidden ? 1 : 0)
    .where('stream_ordering', '>', piece.after)
    .where('stream_ordering', '<', piece.before)
    .orderBy('stream_ordering')
    .limit(pieceSize)
    .execute();
  const last = rows.at(-1);
  if (!last) return undefined;

  const goes = (row: (typeof rows)[number]) => piece.deleteMessages && row.state_key === null;
  const deleted = rows.filter(goes).map((row) => row.stream_ordering);
  const kept = rows.filter((row) => !goes(row)).map((row) => row.stream_ordering);
  if (deleted.length > 0) await db.deleteFrom('events').where('stream_ordering', 'in', deleted).execute();
  if (kept.length > 0 && !piece.hidden) {
    await db.updateTable('events').set({ purged: 1 }).where('stream_ordering', 'in', kept).execute();
  }
  return { end: last.stream_ordering, events: piece.hidden ? deleted.length : rows.length };
}

/**
 * Deletes some of a room's rows. Returns false if fewer were left than one purge deletes, so that writers who keep adding
 * can't keep it going.
 */
type PurgePiece = (tx: Tx, roomId: string) => Promise<boolean>;

/** Deletes some of a room's data; false if only its own row is left. */
export async function purgeRoomPiece(db: Tx, roomId: string): Promise<boolean> {
  const pieces: PurgePiece[] = [
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
  for (const purge of pieces) {
    if (await purge(db, roomId)) return true;
  }
  return false;
}

async function purgeState(db: Database, roomId: string): Promise<boolean> {
  // No process goes on by what it knew of the state at this head.
  await db.updateTable('rooms').set({ head_event_id: null }).where('room_id', '=', roomId).execute();
  const events = db
    .selectFrom('current_state')
    .select('event_id')
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  const result = await db
    .deleteFrom('current_state')
    .where('room_id', '=', roomId)
    .where('event_id', 'in', events)
    .executeTakeFirst();
  return result.numDeletedRows >= pieceSize;
}

/** What is kept of each user in the room: that they were there, and what they keep about it themselves. */
const purgeOfUsers =
  (table: 'memberships' | 'account_data' | 'receipts' | 'thread_subscriptions') =>
  async (db: Database, roomId: string): Promise<boolean> => {
    const users = db.selectFrom(table).select('user_id').where('room_id', '=', roomId).limit(pieceSize);
    const result = await db
      .deleteFrom(table)
      .where('room_id', '=', roomId)
      .where('user_id', 'in', users)
      .executeTakeFirst();
    return result.numDeletedRows >= pieceSize;
  };

async function purgeEvents(db: Database, roomId: string): Promise<boolean> {
  const places = db
    .selectFrom('events')
    .select('stream_ordering')
    .where('room_id', '=', roomId)
    .limit(pieceSize);
  const result = await db.deleteFrom('events').where('stream_ordering', 'in', places).executeTakeFirst();
  return result.numDeletedRows >= pieceSize;
}
