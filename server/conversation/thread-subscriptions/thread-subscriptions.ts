/** Following threads. Matrix proposals 4306, thread subscriptions, and 4308, their changes in sliding sync. */
import type { SubscriptionChanges } from '../../../shared/api/thread-subscriptions.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { holdUser } from '../../identity/accounts/user-store.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { settledPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../platform/database/transaction.ts';
import { threadOf } from '../receipts/receipts.ts';
import { findVisibleEvent } from '../rooms/access.ts';
import { findEvent } from '../rooms/events/event-store.ts';
import {
  findThreadSubscription,
  readThreadSubscriptions,
  type Subscription,
  setThreadSubscription,
  type ThreadKey,
} from './thread-subscription-store.ts';

export type ThreadContext = { db: Database; notifier: Notifier };

/**
 * How a user follows a thread.
 *
 * @throws MatrixError 404 for a thread that the user doesn't follow or can't see
 */
export async function threadSubscription(db: Database, key: ThreadKey): Promise<Subscription> {
  await requireThread(db, key);
  const { subscription } = (await findThreadSubscription(db, key)) ?? {};
  if (!subscription) throw notFound('You are not subscribed to this thread.');
  return subscription;
}

/**
 * Makes a user follow a thread. What the user wants goes before what a client does by itself.
 *
 * @param cause the event because of which a client does it by itself; undefined where the user wants it
 * @throws MatrixError 404 for a thread that the user can't see; 400 for a cause outside of the thread; 409 where the
 *   user has ended the subscription since the cause
 */
export async function subscribeToThread(
  { db, notifier }: ThreadContext,
  key: ThreadKey,
  cause: string | undefined,
  { errorCodePrefix }: Dialect,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdUser(tx, key.userId);
    await requireThread(tx, key);
    const causedAt = cause === undefined ? undefined : await placeInThread(tx, key, cause);
    if (cause !== undefined && causedAt === undefined) {
      throw new MatrixError(
        400,
        `${errorCodePrefix}.MSC4306.M_NOT_IN_THREAD`,
        'The event that caused the subscription is not in this thread.',
      );
    }
    const { subscription: before, endedAt = 0 } = (await findThreadSubscription(tx, key)) ?? {};
    const subscription = causedAt === undefined ? 'manual' : 'automatic';
    if (before === subscription || before === 'manual') return;
    if (causedAt !== undefined && causedAt <= endedAt) {
      throw new MatrixError(
        409,
        `${errorCodePrefix}.MSC4306.M_CONFLICTING_UNSUBSCRIPTION`,
        'You have unsubscribed from this thread since that event.',
      );
    }
    await setThreadSubscription(tx, key, { subscription, endedAt });
    afterCommit(tx, () => notifier.wake('users', key.userId));
  });
}

/** @throws MatrixError 404 for a thread that the user can't see */
export async function unsubscribeFromThread({ db, notifier }: ThreadContext, key: ThreadKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdUser(tx, key.userId);
    await requireThread(tx, key);
    if (!(await findThreadSubscription(tx, key))?.subscription) return;
    const { newestEvent } = await settledPositions(tx);
    await setThreadSubscription(tx, key, { subscription: undefined, endedAt: newestEvent });
    afterCommit(tx, () => notifier.wake('users', key.userId));
  });
}

async function requireThread(db: Database, { userId, roomId, threadId }: ThreadKey): Promise<void> {
  if (!(await findVisibleEvent(db, roomId, userId, threadId))) throw notFound('No such thread root.');
}

async function placeInThread(
  db: Database,
  { roomId, threadId }: ThreadKey,
  eventId: string,
): Promise<number | undefined> {
  const event = await findEvent(db, eventId);
  const isInThread = event?.pdu.room_id === roomId && (await threadOf(db, event.pdu.content)) === threadId;
  return isInThread ? event.streamOrdering : undefined;
}

/** At most so many changes are given at once. */
const maximumChanges = 1_000;

export type ChangesPage = SubscriptionChanges & {
  /** Where the next page ends, in the order of changes; undefined where there is none. */
  next: number | undefined;
};

/** The latest changes of what threads a user follows, after a place in the order of changes and up to another. */
export async function threadSubscriptionChanges(
  db: Database,
  { userId, after, upTo, limit: wanted }: { userId: string; after: number; upTo: number; limit: number },
): Promise<ChangesPage> {
  const limit = Math.min(wanted, maximumChanges);
  const found = await readThreadSubscriptions(db, { userId, after, upTo, limit: limit + 1 });
  const page = found.slice(0, limit);
  const changes: SubscriptionChanges = {};
  for (const { roomId, threadId, subscription, streamId: bump_stamp } of page) {
    if (subscription) {
      changes.subscribed ??= Object.create(null) as NonNullable<typeof changes.subscribed>;
      changes.subscribed[roomId] ??= Object.create(null) as Record<string, never>;
      changes.subscribed[roomId][threadId] = { automatic: subscription === 'automatic', bump_stamp };
    } else {
      changes.unsubscribed ??= Object.create(null) as NonNullable<typeof changes.unsubscribed>;
      changes.unsubscribed[roomId] ??= Object.create(null) as Record<string, never>;
      changes.unsubscribed[roomId][threadId] = { bump_stamp };
    }
  }
  const last = page.at(-1);
  return { ...changes, next: found.length > limit && last ? last.streamId - 1 : undefined };
}
