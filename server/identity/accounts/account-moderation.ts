/** Locking and suspending accounts as clients do. Matrix specification, client-server API, "Server administration". */

import type { Config } from '../../platform/config/config.ts';
import { requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { deleteBorrowedSessions } from '../sessions/session-store.ts';
import { findUser, lockUser, type User, type UserChange, updateUser } from './user-store.ts';

export type ModerationContext = { db: Database; config: Pick<Config, 'serverName'> };

/** Who is asked about, and by whom. */
type About = { userId: string; administrator: string };

/**
 * An account that an administrator may look at.
 *
 * @throws MatrixError 400 for no user of this server; 404 for nobody, or an account that was given up; 403 for another
 *   administrator
 */
export async function readModerated({ db, config }: ModerationContext, about: About): Promise<User> {
  requireOwn(config, about.userId);
  return requireModerated(await findUser(db, about.userId), about);
}

/** Changes one. @throws MatrixError the same, and 403 for oneself */
export async function moderate(
  { db, config }: ModerationContext,
  about: About,
  change: Pick<UserChange, 'locked' | 'suspended'>,
): Promise<void> {
  requireOwn(config, about.userId);
  if (about.userId === about.administrator) throw forbidden("You can't lock or suspend your own account");
  await inTransaction(db, async (tx) => {
    requireModerated(await lockUser(tx, about.userId), about);
    await updateUser(tx, about.userId, change, async () => {
      // Nor may who is locked act as others.
      if (change.locked) await deleteBorrowedSessions(tx, 'made_for', about.userId);
    });
  });
}

function requireOwn({ serverName }: ModerationContext['config'], userId: string): void {
  if (serverOf(requireUserId(userId)) !== serverName) {
    throw invalidParameter('This user does not belong to this server');
  }
}

function requireModerated(user: User | undefined, { administrator }: About): User {
  if (!user || user.deactivated) throw notFound('User not found');
  if (user.admin && user.userId !== administrator) {
    throw forbidden('This user is a server admin');
  }
  return user;
}
