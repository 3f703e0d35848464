/** Thread subscriptions (MSC4306) and their changes for sliding sync (MSC4308). */
import type { SubscriptionChanges } from '../../../shared/api/thread-subscriptions.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { lockActiveUser } from '../../identity/accounts/user-store.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { settledPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../platform/database/transaction.ts';
import { findVisibleEvent } from '../rooms/access.ts';
import { findEvent } from '../rooms/events/event-store.ts';
import { threadOf } from '../rooms/relations/relation.ts';
import {
  findThreadSubscription,
  readThreadSubscriptions,
  type Subscription,
  setThreadSubscription,
  type ThreadKey,
} from './thread-subscription-store.ts';

export type ThreadContext = { db: Database; notifier: Notifier };

/** @throws MatrixError 404 if the user isn't subscribed to the thread or can't see it */
export async function threadSubscription(db: Database, key: ThreadKey): Promise<Subscription> {
  await requireThread(db, key);
  const { subscription } = (await findThreadSubscription(db, key)) ?? {};
  if (!subscription) throw notFound('You are not subscribed to this thread.');
  return subscription;
}

/**
 * Subscribes a user to a thread. Manual subscriptions take precedence over automatic ones.
 *
 * @param cause ID of the event that caused an automatic subscription; undefined for a manual one
 * @throws MatrixError 404 if the user can't see the thread; 400 if the cause isn't in the thread; 409 if the user has
 *   unsubscribed since the cause
 */
export async function subscribeToThread(
  { db, notifier }: ThreadContext,
  key: ThreadKey,
  cause: string | undefined,
  { errorCodePrefix }: Dialect,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockActiveUser(tx, key.userId);
    await requireThread(tx, key);
    const causedAt = cause === undefined ? undefined : await positionInThread(tx, key, cause);
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

/** @throws MatrixError 404 if the user can't see the thread */
export async function unsubscribeFromThread({ db, notifier }: ThreadContext, key: ThreadKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockActiveUser(tx, key.userId);
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

async function positionInThread(
  db: Database,
  { roomId, threadId }: ThreadKey,
  eventId: string,
): Promise<number | undefined> {
  const event = await findEvent(db, eventId);
  const isInThread = event?.pdu.room_id === roomId && (await threadOf(db, event.pdu.content)) === threadId;
  return isInThread ? event.streamOrdering : undefined;
}

const maximumChanges = 1_000;

export type ChangesPage = SubscriptionChanges & {
  /** Stream position at which the next page ends, if there is one. */
  next: number | undefined;
};

/** Returns the newest changes between two stream positions. */
export async function threadSubscriptionChanges(
  db: Database,
  { userId, after, upTo, limit: requested }: { userId: string; after: number; upTo: number; limit: number },
): Promise<ChangesPage> {
  const limit = Math.min(requested, maximumChanges);
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
