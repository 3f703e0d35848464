/** Ending sessions. Whoever does locks the user first, as whoever opens one does. */
import type { Requester } from '../core/requester.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { deleteBorrowedSessions, deleteSession, deleteSessions, deleteToken } from './session-store.ts';
import { lockUser } from './user-store.ts';

type Context = { db: Database };

/** Ends the session that a request came with, and its device with it. */
export async function endSession(
  { db }: Context,
  { userId, deviceId }: Requester,
  tokenHash: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    if (deviceId === null) await deleteToken(tx, tokenHash);
    else await deleteSession(tx, userId, deviceId);
  });
}

/**
 * Ends every session that a user opened. An administrator stops acting as others, too; whoever acts as this
 * user goes on.
 */
export async function endAllSessions({ db }: Context, { userId, actsFor }: Requester): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    await deleteSessions(tx, userId);
    if (actsFor === undefined) await deleteBorrowedSessions(tx, 'made_for', userId);
  });
}

/** Removes devices of a user, with their sessions. */
export async function removeDevices({ db }: Context, userId: string, deviceIds: string[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    for (const deviceId of deviceIds) await deleteSession(tx, userId, deviceId);
  });
}
