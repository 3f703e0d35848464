import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { HookContext } from '../accounts/identity-hooks.ts';
import { lockActiveUser } from '../accounts/user-store.ts';
import { type AccountDataKey, findAccountData, setAccountData } from './account-data-store.ts';

export type AccountDataContext = { db: Database; notifier: Notifier } & HookContext;

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
    await lockActiveUser(tx, userId);
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
    await context.hooks.accountDataChanged(tx, key);
  });
}

/** Returns the users whom a user ignores. Matrix specification, client-server API, "Ignoring Users". */
export async function ignoredUsers(db: Database, userId: string): Promise<Set<string>> {
  const list = await findAccountData(db, { userId, type: 'm.ignored_user_list' });
  const users = list?.ignored_users;
  return new Set(isObject(users) ? Object.keys(users) : []);
}
