import type { JsonObject } from '../../shared/api/common.ts';
import { jsonInTurns } from '../core/json-in-turns.ts';
import type { Notifier } from '../core/notifier.ts';
import { longLevelsOf } from '../core/parse-in-turns.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../database/transaction.ts';
import { type AccountDataKey, findAccountDataSize, setAccountData } from './account-data-store.ts';
import { type KeptBytesContext, requireRoomFor } from './kept-bytes.ts';
import { holdUser } from './user-store.ts';

export type AccountDataContext = KeptBytesContext & {
  db: Database;
  notifier: Notifier;
  /** What follows from what was set, in the same transaction. */
  noteAccountData(tx: Tx, key: AccountDataKey): Promise<void>;
};

/**
 * Changes what a user's clients keep, one change after the other, and has them told.
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

/**
 * Sets one piece of it.
 *
 * @throws MatrixError 403 for a deactivated user; 413 `M_TOO_LARGE` where the user keeps too much already
 */
export async function putAccountData(
  context: AccountDataContext,
  key: AccountDataKey,
  content: JsonObject,
): Promise<void> {
  // Before the transaction: it is others' turn meanwhile, who may have something to write.
  const json = await jsonInTurns(content, longLevelsOf(content));
  const added = Buffer.byteLength(json) - (await findAccountDataSize(context.db, key));
  await requireRoomFor(context, key.userId, added);
  await changeAccountData(context, key.userId, async (tx) => {
    await setAccountData(tx, key, json);
    await context.noteAccountData(tx, key);
  });
}
