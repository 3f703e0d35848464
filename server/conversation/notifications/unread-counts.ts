/** How much of each room is unread. Matrix specification, client-server API, "Receiving notifications". */
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import { mainThread } from '../receipts/receipts.ts';
import { type AskedPlace, asJson, countRedacted, type UnreadCount } from './notification-store.ts';
import { countUnread, listJoinedRooms, listUnreadThreads, readApart } from './unread-count-store.ts';

export type UnreadRoom = {
  main: UnreadCount;
  /** Only threads of which something is unread, by the event that each hangs on. */
  threads: Map<string, UnreadCount>;
};

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
    await yieldToEventLoop();
    const list = asJson(asked.slice(start, start + countsAtOnce));
    const counts = await countUnread(db, userId, list);
    const redacted = counts.some(({ isRedacted }) => isRedacted)
      ? await countRedacted(db, userId, list)
      : () => none;
    for (const { roomId, threadId, notifications, highlights } of counts) {
      const less = redacted(roomId, threadId);
      const counted = {
        notifications: atLeastNone(notifications - less.notifications),
        highlights: atLeastNone(highlights - less.highlights),
      };
      if (threadId === '') of(roomId).main = counted;
      else if (counted.notifications > 0) of(roomId).threads.set(threadId, counted);
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
  const rooms = await listJoinedRooms(db, userId, roomIds);
  const apart = await readApart(db, userId);
  const marks = new Map<string, Marks & { read: Map<string, number> }>();
  for (const { roomId, joined, receipt, hasThreads } of rooms) {
    let room = marks.get(roomId);
    if (!room) {
      const limits = [apart.get(''), apart.get(roomId)].filter((range) => range !== undefined);
      const places = new Map<string, number>();
      room = {
        read: places,
        hasThreads,
        from: Math.max(0, ...limits.map(({ from }) => from)),
        upTo: Math.min(endless, ...limits.map(({ upTo }) => upTo ?? endless)),
        placeOf: (threadId) =>
          Math.max(places.get('') ?? -1, places.get(threadId) ?? -1, places.has('') ? -1 : joined),
      };
      marks.set(roomId, room);
    }
    if (receipt) {
      room.read.set(receipt.threadId, Math.max(receipt.place, room.read.get(receipt.threadId) ?? 0));
    }
  }
  return marks;
}
