import type { JsonObject } from '../../shared/api/common.ts';
import type { Notifier } from '../core/notifier.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../database/transaction.ts';
import { type AccountDataKey, setAccountData } from './account-data-store.ts';
import { holdUser } from './user-store.ts';

export type AccountDataContext = {
  db: Database;
  notifier: Notifier;
  /** Applies side effects of a change in the same transaction. */
  noteAccountData(tx: Tx, key: AccountDataKey): Promise<void>;
};

/**
 * Changes a user's account data, one change at a time, and wakes the user's syncs.
 *
 * @throws MatrixError 403 for a deactivated user
 */
export const changeAccountData = (
  { db, notifier }: Pick<AccountDataContext, 'db' | 'notifier'>,
  userId: string,
  change: (tx: Tx) => Promise<void>,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await holdUser(tx, userId);
    await change(tx);
    afterCommit(tx, () => notifier.wake('users', userId));
  });

/** @throws MatrixError 403 for a deactivated user */
export async function putAccountData(
  context: AccountDataContext,
  key: AccountDataKey,
  content: JsonObject,
): Promise<void> {
  const json = JSON.stringify(content);
  await changeAccountData(context, key.userId, async (tx) => {
    await setAccountData(tx, key, json);
    await context.noteAccountData(tx, key);
  });
}
