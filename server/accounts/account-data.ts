import type { JsonObject } from '../../shared/api/common.ts';
import type { Notifier } from '../core/notifier.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../database/transaction.ts';
import { type AccountDataKey, setAccountData } from './account-data-store.ts';
import { lockUser } from './user-store.ts';

export type AccountDataContext = {
  db: Database;
  notifier: Notifier;
  /** What follows from what was set, in the same transaction. */
  noteAccountData(tx: Tx, key: AccountDataKey): Promise<void>;
};

/** Changes what a user's clients keep, and has them told. */
export const changeAccountData = (
  { db, notifier }: Pick<AccountDataContext, 'db' | 'notifier'>,
  userId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await change(tx);
    afterCommit(tx, () => notifier.wake('users', userId));
  });

/** What the server changes a part of itself: with a tag, and when a room is replaced. */
const changedInParts = new Set(['m.tag', 'm.direct']);

/** Sets one piece of it. */
export const putAccountData = (context: AccountDataContext, key: AccountDataKey, content: JsonObject) =>
  changeAccountData(context, key.userId, async (tx) => {
    if (changedInParts.has(key.type)) await lockUser(tx, key.userId);
    await setAccountData(tx, key, content);
    await context.noteAccountData(tx, key);
  });
