/** Synapse's "Deactivate Account". */
import type { Clock } from '../../platform/core/clock.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { Scheduler } from '../../platform/tasks/scheduler.ts';
import { deleteAllAccountData } from '../account-data/account-data-store.ts';
import { deleteLoginTokens } from '../login/login-token-store.ts';
import { deleteImpersonationTokens } from '../sessions/session-store.ts';
import { type DeviceDeletionContext, deleteDevices } from '../sessions/sessions.ts';
import { deleteOpenIdTokens, replaceThreepids } from './identity-store.ts';
import { deleteProfileFields, type UserChange, updateUser } from './user-store.ts';

export type DeactivationContext = DeviceDeletionContext & {
  db: Database;
  clock: Clock;
  tasks: Scheduler;
};

/**
 * Deactivates an account: deletes its sessions, password and 3PIDs, and has a task leave its rooms. The user ID can't be
 * registered again. Erasing also deletes the profile, and hides sent messages from users who weren't in the room then.
 *
 * @throws MatrixError 404 if the user doesn't exist
 */
export async function deactivateAccount(
  context: DeactivationContext,
  userId: string,
  { erase }: { erase: boolean },
): Promise<void> {
  const change = { ...deactivated, ...(erase && { erased: true, displayName: null, avatarUrl: null }) };
  await inTransaction(context.db, async (tx) => {
    const known = await updateUser(tx, userId, change, async () => {
      await deleteRelatedData(tx, context, userId);
      if (erase) await deleteProfileFields(tx, userId);
    });
    if (!known) throw notFound('User not found');
  });
  context.tasks.wake();
}

export const deactivated = { deactivated: true, passwordHash: null } as const satisfies UserChange;

/** Deletes the data of an account that is deactivated. Wake the scheduler after the commit. */
export async function deleteRelatedData(
  tx: Tx,
  context: Omit<DeactivationContext, 'db' | 'tasks'>,
  userId: string,
): Promise<void> {
  await deleteDevices(tx, context, userId, { except: null });
  await deleteImpersonationTokens(tx, 'user_id', userId);
  await deleteImpersonationTokens(tx, 'made_for', userId);
  await deleteLoginTokens(tx, userId);
  await deleteOpenIdTokens(tx, userId);
  await replaceThreepids(tx, userId, [], context.clock.now());
  await deleteAllAccountData(tx, userId);
  await context.hooks.accountDeactivated(tx, userId);
}
