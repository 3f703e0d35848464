/** Locking and suspending accounts as clients do. Matrix specification, client-server API, "Server administration". */

import { getLocked, getSuspended, putLocked, putSuspended } from '../../../shared/api/users.ts';
import type { Config } from '../../platform/config/config.ts';
import { requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deleteBorrowedSessions } from '../sessions/session-store.ts';
import { findUser, lockUser, type User, type UserChange, updateUser } from './user-store.ts';

type Context = { db: Database; config: Pick<Config, 'serverName'> };

/** Who is asked about, and by whom. */
type About = { userId: string; administrator: string };

/**
 * An account that an administrator may look at.
 *
 * @throws MatrixError 400 for no user of this server; 404 for nobody, or an account that was given up; 403 for another
 *   administrator
 */
async function readModerated({ db, config }: Context, about: About): Promise<User> {
  requireOwn(config, about.userId);
  return requireModerated(await findUser(db, about.userId), about);
}

/** Changes one. @throws MatrixError the same, and 403 for oneself */
async function moderate(
  { db, config }: Context,
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

function requireOwn({ serverName }: Context['config'], userId: string): void {
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

/** What administrators do to accounts from a chat client. */
export const accountModerationRoutes: Routes<{ db: Database; config: Config }> = (app, context) => {
  const config = { policy: administrator };

  app.get('/admin/lock/:userId', { schema: getLocked, config }, async ({ params, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    return { locked: (await readModerated(context, about)).locked };
  });

  app.put('/admin/lock/:userId', { schema: putLocked, config }, async ({ params, body, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    await moderate(context, about, { locked: body.locked });
    return { locked: body.locked };
  });

  app.get('/admin/suspend/:userId', { schema: getSuspended, config }, async ({ params, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    return { suspended: (await readModerated(context, about)).suspended };
  });

  app.put('/admin/suspend/:userId', { schema: putSuspended, config }, async ({ params, body, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    await moderate(context, about, { suspended: body.suspended });
    return { suspended: body.suspended };
  });
};
