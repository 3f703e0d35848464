/** Ending an account. The reference homeserver's "Deactivate Account". */
import type { Transaction } from 'kysely';
import { notFound } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../storage/schema.ts';
import { deleteBorrowedSessions, deleteLoginTokens, deleteSessions } from '../storage/sessions.ts';
import { replaceThreepids } from '../storage/user-identities.ts';
import { updateUser } from '../storage/users.ts';
import { type LeaveAllRoomsParams, leaveAllRoomsAction } from '../tasks/leave-all-rooms.ts';

/** Ends an account in a transaction of its own. @throws MatrixError 404 where there is no such user */
export async function deactivateAccount(
  services: Pick<Services, 'clock' | 'db' | 'tasks'>,
  userId: string,
  options: { erase: boolean },
): Promise<void> {
  await services.db.transaction().execute(async (transaction) => {
    if (!(await deactivate(transaction, services, userId, options))) throw notFound('User not found');
  });
  services.tasks.wake();
}

/**
 * Ends an account: its sessions, password and addresses go at once, and a task takes it out of its rooms.
 * Nobody else can have the name afterwards. Erasing takes name and picture away, too, and hides what the
 * user sent from whoever was not in the room then. False where there is no such user. Wake the scheduler
 * when the transaction is through.
 */
export async function deactivate(
  transaction: Transaction<Schema>,
  { clock, tasks }: Pick<Services, 'clock' | 'tasks'>,
  userId: string,
  { erase }: { erase: boolean },
): Promise<boolean> {
  const known = await updateUser(transaction, userId, {
    deactivated: true,
    passwordHash: null,
    ...(erase && { erased: true, displayName: null, avatarUrl: null }),
  });
  if (!known) return false;
  await deleteSessions(transaction, userId);
  await deleteBorrowedSessions(transaction, 'user_id', userId);
  await deleteBorrowedSessions(transaction, 'made_for', userId);
  await deleteLoginTokens(transaction, userId);
  await replaceThreepids(transaction, userId, [], clock.now());
  const params: LeaveAllRoomsParams = { user_id: userId };
  await tasks.schedule({ action: leaveAllRoomsAction, params, resourceId: userId }, transaction);
  return true;
}
