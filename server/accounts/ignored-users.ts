/** Whom people ignore. Matrix specification, client-server API, "Ignoring Users". */
import { isObject } from '../../shared/is-object.ts';
import type { Database } from '../database/schema.ts';
import { findAccountData } from './account-data-store.ts';

/** Whose messages and invitations a user doesn't want to see. */
export async function ignoredUsers(db: Database, userId: string): Promise<Set<string>> {
  const list = await findAccountData(db, { userId, type: 'm.ignored_user_list' });
  const users = list?.ignored_users;
  return new Set(isObject(users) ? Object.keys(users) : []);
}
