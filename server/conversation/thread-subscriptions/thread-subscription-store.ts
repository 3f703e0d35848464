/** Thread subscriptions, also ended ones. */
import { nextChange } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Subscription = 'automatic' | 'manual';

/** The thread ID is that of its root event. */
export type ThreadKey = { userId: string; roomId: string; threadId: string };

type ThreadSubscription = Omit<ThreadKey, 'userId'> & {
  /** Undefined if it has ended. */
  subscription: Subscription | undefined;
  /** Stream position at which the user ended it; 0 if never. */
  endedAt: number;
  streamId: number;
};

const columns = ['room_id', 'thread_id', 'subscription', 'ended_at', 'stream_id'] as const;

export async function findThreadSubscription(
  db: Database,
  { userId, roomId, threadId }: ThreadKey,
): Promise<ThreadSubscription | undefined> {
  const row = await db
    .selectFrom('thread_subscriptions')
    .select(columns)
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .where('thread_id', '=', threadId)
    .executeTakeFirst();
  return row && asSubscription(row);
}

export async function setThreadSubscription(
  tx: Tx,
  { userId, roomId, threadId }: ThreadKey,
  { subscription, endedAt }: Pick<ThreadSubscription, 'subscription' | 'endedAt'>,
): Promise<void> {
  const change = {
    subscription: subscription ?? null,
    ended_at: endedAt,
    stream_id: await nextChange(tx),
  };
  await tx
    .insertInto('thread_subscriptions')
    .values({ user_id: userId, room_id: roomId, thread_id: threadId, ...change })
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id', 'thread_id']).doUpdateSet(change))
    .execute();
}

/** Returns changes between two stream positions, newest first. */
export async function readThreadSubscriptions(
  db: Database,
  { userId, after, upTo, limit }: { userId: string; after: number; upTo: number; limit: number },
): Promise<ThreadSubscription[]> {
  const rows = await db
    .selectFrom('thread_subscriptions')
    .select(columns)
    .where('user_id', '=', userId)
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .orderBy('stream_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(asSubscription);
}

export async function deleteThreadSubscriptions(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('thread_subscriptions').where('user_id', '=', userId).execute();
}

const asSubscription = (row: {
  room_id: string;
  thread_id: string;
  subscription: string | null;
  ended_at: number;
  stream_id: number;
}): ThreadSubscription => ({
  roomId: row.room_id,
  threadId: row.thread_id,
  subscription: (row.subscription as Subscription | null) ?? undefined,
  endedAt: row.ended_at,
  streamId: row.stream_id,
});
