/** Ending an account. The reference homeserver's "Deactivate Account". */

import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import type { Scheduler } from '../tasks/scheduler.ts';
import { replaceThreepids } from './identity-store.ts';
import { deleteBorrowedSessions, deleteLoginTokens, deleteSessions } from './session-store.ts';
import { updateUser } from './user-store.ts';

/** What it takes to end an account. */
export type DeactivationContext = {
  db: Database;
  clock: Clock;
  tasks: Scheduler;
  /** Schedules that the user leaves every room. */
  leaveRooms(tx: Tx, userId: string): Promise<unknown>;
};

/** Ends an account in a transaction of its own. @throws MatrixError 404 where there is no such user */
export async function deactivateAccount(
  services: DeactivationContext,
  userId: string,
  options: { erase: boolean },
): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    if (!(await deactivate(tx, services, userId, options))) throw notFound('User not found');
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
  tx: Tx,
  { clock, leaveRooms }: Omit<DeactivationContext, 'db' | 'tasks'>,
  userId: string,
  { erase }: { erase: boolean },
): Promise<boolean> {
  const known = await updateUser(tx, userId, {
    deactivated: true,
    passwordHash: null,
    ...(erase && { erased: true, displayName: null, avatarUrl: null }),
  });
  if (!known) return false;
  await deleteSessions(tx, userId);
  await deleteBorrowedSessions(tx, 'user_id', userId);
  await deleteBorrowedSessions(tx, 'made_for', userId);
  await deleteLoginTokens(tx, userId);
  await replaceThreepids(tx, userId, [], clock.now());
  await leaveRooms(tx, userId);
  return true;
}
