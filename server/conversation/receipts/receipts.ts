/** Read receipts and fully read markers. Client-server API, "Receipts" and "Fully read markers". */
import { findAccountData, setAccountData } from '../../identity/account-data/account-data-store.ts';
import { lockActiveUser } from '../../identity/accounts/user-store.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden, invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { findEvent, type StoredEvent } from '../rooms/events/event-store.ts';
import { findMembership } from '../rooms/membership/membership-store.ts';
import { threadOf } from '../rooms/relations/relation.ts';
import { type ReceiptType, setReceipt } from './receipt-store.ts';

export type ReceiptContext = { db: Database; clock: Clock; notifier: Notifier };

export type ReadMark = {
  type: ReceiptType | 'm.fully_read';
  eventId: string;
  threadId?: string | undefined;
};

/**
 * Sets all marks, or none.
 *
 * @throws MatrixError 403 if the user isn't in the room; 404 for a fully read marker at an unknown event; 400 if the
 *   event isn't in the thread
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
  // Like Synapse, ignore receipts for unknown events.
  if (!event) return;
  const { streamOrdering: position } = event;
  const receipt = { userId, roomId, type, threadId, eventId, ts: clock.now(), position };
  if (!(await setReceipt(tx, receipt))) return;
  afterCommit(tx, () =>
    type === 'm.read' ? notifier.wake('rooms', roomId) : notifier.wake('users', userId),
  );
}

const isInThread = async (tx: Tx, event: StoredEvent, threadId: string) =>
  (await threadOf(tx, event.pdu.content)) === threadId;

/** The fully read marker never moves back. */
async function moveFullyRead(tx: Tx, userId: string, roomId: string, event: StoredEvent): Promise<void> {
  await lockActiveUser(tx, userId);
  const key = { userId, roomId, type: 'm.fully_read' };
  const before = await findAccountData(tx, key);
  const current = typeof before?.event_id === 'string' ? await findEvent(tx, before.event_id) : undefined;
  if (current && current.streamOrdering >= event.streamOrdering) return;
  await setAccountData(tx, key, JSON.stringify({ event_id: event.eventId }));
}
