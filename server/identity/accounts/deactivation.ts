/** Ending an account. The reference homeserver's "Deactivate Account". */
import type { Clock } from '../../platform/core/clock.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { Scheduler } from '../../platform/tasks/scheduler.ts';
import { deleteAllAccountData } from '../account-data/account-data-store.ts';
import { deleteLoginTokens } from '../login/login-token-store.ts';
import { deleteProfileFields } from '../profiles/profile-field-store.ts';
import { deleteBorrowedSessions } from '../sessions/session-store.ts';
import { type EndingContext, endDevices } from './endings.ts';
import { replaceThreepids } from './identity-store.ts';
import { deleteOpenIdTokens } from './openid-store.ts';
import { type UserChange, updateUser } from './user-store.ts';

/** What it takes to end an account. */
export type DeactivationContext = EndingContext & {
  db: Database;
  clock: Clock;
  tasks: Scheduler;
};

/**
 * Ends an account: its sessions, password and addresses go at once, and a task takes it out of its rooms.
 * Nobody else can have the name afterwards. Erasing takes name and picture away, too, and hides what the
 * user sent from whoever was not in the room then.
 *
 * @throws MatrixError 404 where there is no such user
 */
export async function deactivateAccount(
  context: DeactivationContext,
  userId: string,
  { erase }: { erase: boolean },
): Promise<void> {
  const change = { ...deactivated, ...(erase && { erased: true, displayName: null, avatarUrl: null }) };
  await inTransaction(context.db, async (tx) => {
    const known = await updateUser(tx, userId, change, async () => {
      await endBelongings(tx, context, userId);
      if (erase) await deleteProfileFields(tx, userId);
    });
    if (!known) throw notFound('User not found');
  });
  context.tasks.wake();
}

/** What a user is after the account has ended. */
export const deactivated = { deactivated: true, passwordHash: null } as const satisfies UserChange;

/** Ends what belongs to an account that ends. Wake the scheduler when the transaction is through. */
export async function endBelongings(
  tx: Tx,
  context: Omit<DeactivationContext, 'db' | 'tasks'>,
  userId: string,
): Promise<void> {
  await endDevices(tx, context, userId, { except: null });
  await deleteBorrowedSessions(tx, 'user_id', userId);
  await deleteBorrowedSessions(tx, 'made_for', userId);
  await deleteLoginTokens(tx, userId);
  await deleteOpenIdTokens(tx, userId);
  await replaceThreepids(tx, userId, [], context.clock.now());
  await deleteAllAccountData(tx, userId);
  await context.hooks.accountDeactivated(tx, userId);
}
