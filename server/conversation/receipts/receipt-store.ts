/** Receipts: one per user, type, room and thread. */
import { nextChange } from '../../platform/database/changes.ts';
import { textsIn } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type ReceiptType = 'm.read' | 'm.read.private';

export type Receipt = {
  userId: string;
  roomId: string;
  type: ReceiptType;
  /** The root of a thread, or `main`; undefined for the whole room. */
  threadId: string | undefined;
  eventId: string;
  /** Milliseconds since the Unix epoch. */
  ts: number;
};

/** Returns false without a change if there is one at the same or a later event. */
export async function setReceipt(tx: Tx, receipt: Receipt & { position: number }): Promise<boolean> {
  const change = {
    event_id: receipt.eventId,
    stream_ordering: receipt.position,
    ts: receipt.ts,
    stream_id: await nextChange(tx),
  };
  const written = await tx
    .insertInto('receipts')
    .values({
      user_id: receipt.userId,
      room_id: receipt.roomId,
      receipt_type: receipt.type,
      thread_id: receipt.threadId ?? '',
      ...change,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'room_id', 'receipt_type', 'thread_id'])
        .doUpdateSet(change)
        .where('receipts.stream_ordering', '<', receipt.position),
    )
    .returning('stream_id')
    .executeTakeFirst();
  return written !== undefined;
}

type ReceiptRange = {
  /** The reader, who also gets their private receipts. */
  userId: string;
  roomIds: readonly string[];
  /** Stream positions of changes. */
  after: number | undefined;
  upTo: number;
};

/** Returns receipts sorted by room and stream position. */
export async function readReceiptsSince(
  db: Database,
  { userId, roomIds, after = -1, upTo }: ReceiptRange,
): Promise<Receipt[]> {
  if (roomIds.length === 0) return [];
  const rows = await db
    .selectFrom('receipts')
    .select(['user_id', 'room_id', 'receipt_type', 'thread_id', 'event_id', 'ts'])
    .where('room_id', 'in', textsIn(db, roomIds))
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .where((eb) => eb.or([eb('receipt_type', '=', 'm.read'), eb('user_id', '=', userId)]))
    .orderBy('room_id')
    .orderBy('stream_id')
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    roomId: row.room_id,
    type: row.receipt_type as ReceiptType,
    threadId: row.thread_id === '' ? undefined : row.thread_id,
    eventId: row.event_id,
    ts: row.ts,
  }));
}

export async function deletePrivateReceipts(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('receipts')
    .where('user_id', '=', userId)
    .where('receipt_type', '=', 'm.read.private')
    .execute();
}
