/** What reading changes. Matrix specification, client-server API, "Receipts" and "Fully read markers". */
import { findAccountData, setAccountData } from '../accounts/account-data-store.ts';
import { holdUser } from '../accounts/user-store.ts';
import type { Clock } from '../core/clock.ts';
import { forbidden, invalidParameter, MatrixError } from '../core/matrix-error.ts';
import type { Notifier } from '../core/notifier.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../database/transaction.ts';
import { findEvent, type StoredEvent } from '../rooms/event-store.ts';
import { findMembership } from '../rooms/membership-store.ts';
import { type ReceiptType, setReceipt } from './receipt-store.ts';
import { threadOf } from './thread-of.ts';

export type ReceiptContext = { db: Database; clock: Clock; notifier: Notifier };

export type ReadMark = {
  type: ReceiptType | 'm.fully_read';
  eventId: string;
  threadId?: string | undefined;
};

/**
 * Notes how far a user has read in a room: all marks, or none.
 *
 * @throws MatrixError 403 for who isn't in the room; 404 for a fully read marker at no event of the room; 400 for
 *   a thread that the event isn't in
 */
export async function markRead(
  context: ReceiptContext,
  userId: string,
  roomId: string,
  marks: readonly ReadMark[],
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const membership = await findMembership(tx, roomId, userId);
    if (membership?.membership !== 'join') {
      throw forbidden("You don't have permission to access that event.");
    }
    for (const mark of marks) await setMark(tx, context, userId, roomId, mark);
  });
}

async function setMark(
  tx: Tx,
  { clock, notifier }: ReceiptContext,
  userId: string,
  roomId: string,
  { type, eventId, threadId }: ReadMark,
): Promise<void> {
  const found = await findEvent(tx, eventId);
  const event = found?.pdu.room_id === roomId ? found : undefined;
  if (type === 'm.fully_read') {
    if (!event) throw new MatrixError(404, 'M_UNKNOWN', `Could not find event ${eventId} in room ${roomId}`);
    await moveFullyRead(tx, userId, roomId, event);
    afterCommit(tx, () => notifier.wake('users', userId));
    return;
  }
  if (threadId !== undefined && !(event && (await isInThread(tx, event, threadId)))) {
    throw invalidParameter(`event_id ${eventId} is not related to thread ${threadId}`);
  }
  // One at an event that is not here says nothing, as on the reference homeserver.
  if (!event) return;
  const { streamOrdering: place } = event;
  const receipt = { userId, roomId, type, threadId, eventId, ts: clock.now(), place };
  if (!(await setReceipt(tx, receipt))) return;
  afterCommit(tx, () =>
    type === 'm.read' ? notifier.wake('rooms', roomId) : notifier.wake('users', userId),
  );
}

const isInThread = async (tx: Tx, event: StoredEvent, threadId: string) =>
  (await threadOf(tx, event.pdu.content)) === threadId;

/** It never goes back. */
async function moveFullyRead(tx: Tx, userId: string, roomId: string, event: StoredEvent): Promise<void> {
  await holdUser(tx, userId);
  const key = { userId, roomId, type: 'm.fully_read' };
  const before = await findAccountData(tx, key);
  const current = typeof before?.event_id === 'string' ? await findEvent(tx, before.event_id) : undefined;
  if (current && current.streamOrdering >= event.streamOrdering) return;
  await setAccountData(tx, key, JSON.stringify({ event_id: event.eventId }));
}

/** @throws MatrixError 400 */
export function threadIdIn(type: ReadMark['type'], { thread_id: threadId }: { thread_id?: unknown }) {
  if (threadId === undefined) return undefined;
  if (type === 'm.fully_read') {
    throw invalidParameter('thread_id is not compatible with m.fully_read receipts.');
  }
  if (typeof threadId !== 'string' || threadId === '') {
    throw invalidParameter('thread_id field must be a non-empty string');
  }
  return threadId;
}
