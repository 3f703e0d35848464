/** Unread counts of a user's rooms. Client-server API, "Receiving notifications". */
import type { Database } from '../../platform/database/schema.ts';
import { mainThread } from '../rooms/relations/relation.ts';
import {
  countUnread,
  listRoomsWithReceipts,
  listSeparateRanges,
  listUnreadThreads,
  type UnreadCount,
  type UnreadRange,
} from './unread-count-store.ts';

export type UnreadRoom = {
  main: UnreadCount;
  /** Threads with unread messages, by the ID of their root event. */
  threads: Map<string, UnreadCount>;
};

/** Ranges per statement, of a few index lookups each: some milliseconds of work. */
const rangesAtOnce = 200;

/**
 * Counts a user's unread events, by room ID.
 *
 * @param roomIds limits the result to these rooms
 */
export async function readUnreadCounts(
  db: Database,
  { userId, roomIds }: { userId: string; roomIds?: readonly string[] },
): Promise<Map<string, UnreadRoom>> {
  const marks = await readMarks(db, userId, roomIds);
  const withThreads = [...marks].flatMap(([roomId, { hasThreads }]) => (hasThreads ? [roomId] : []));
  const threads = await listUnreadThreads(db, userId, withThreads);
  const ranges: UnreadRange[] = [];
  for (const [roomId, { readUpTo, from, upTo }] of marks) {
    ranges.push({ roomId, threadId: '', read: readUpTo(mainThread), from, upTo });
    for (const threadId of threads.get(roomId) ?? []) {
      ranges.push({ roomId, threadId, read: readUpTo(threadId), from, upTo });
    }
  }
  const unread = new Map<string, UnreadRoom>();
  for (let start = 0; start < ranges.length; start += rangesAtOnce) {
    for (const { roomId, threadId, ...count } of await countUnread(
      db,
      userId,
      ranges.slice(start, start + rangesAtOnce),
    )) {
      const room = unread.get(roomId) ?? { main: none, threads: new Map() };
      unread.set(roomId, room);
      if (threadId === '') room.main = count;
      else if (count.notifications > 0) room.threads.set(threadId, count);
    }
  }
  return unread;
}

const none: UnreadCount = { notifications: 0, highlights: 0 };

type Marks = Pick<UnreadRange, 'from' | 'upTo'> & {
  hasThreads: boolean;
  /** Position up to which a thread is read: a receipt for the whole room covers its threads. */
  readUpTo(threadId: string): number;
};

async function readMarks(
  db: Database,
  userId: string,
  roomIds: readonly string[] | undefined,
): Promise<Map<string, Marks>> {
  const apart = await listSeparateRanges(db, userId);
  const marks = new Map<string, Marks>();
  const byRoom = Map.groupBy(await listRoomsWithReceipts(db, userId, roomIds), ({ roomId }) => roomId);
  for (const [roomId, rooms] of byRoom) {
    const [room] = rooms;
    if (!room) continue;
    const receipts = new Map<string, number>();
    for (const { receipt } of rooms) {
      if (!receipt) continue;
      const { threadId, position } = receipt;
      receipts.set(threadId, Math.max(position, receipts.get(threadId) ?? 0));
    }
    // Without a receipt for the whole room, everything before the join counts as read.
    const readAsWhole = receipts.get('') ?? room.joined;
    const limits = ['', roomId].flatMap((name) => apart.get(name) ?? []);
    marks.set(roomId, {
      hasThreads: room.hasThreads,
      from: Math.max(0, ...limits.map(({ from }) => from)),
      upTo: Math.min(...limits.map(({ upTo }) => upTo ?? endless), endless),
      readUpTo: (threadId) => Math.max(readAsWhole, receipts.get(threadId) ?? -1),
    });
  }
  return marks;
}

const endless = Number.MAX_SAFE_INTEGER;
