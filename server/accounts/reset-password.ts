import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { type EndingContext, endDevices } from './endings.ts';
import { deleteLoginTokens } from './login-token-store.ts';
import { hashPassword } from './passwords.ts';
import { deleteBorrowedSessions } from './session-store.ts';
import { updateUser } from './user-store.ts';

type Reset = {
  /** The user who asks for it. */
  asker: string;
  logoutDevices: boolean;
  exceptDevice?: string | null;
};

/** Gives a user a new password. @throws MatrixError 404 */
export async function resetPassword(
  context: EndingContext & { db: Database },
  userId: string,
  password: string,
  { asker, logoutDevices, exceptDevice = null }: Reset,
): Promise<void> {
  const passwordHash = await hashPassword(asker, password);
  await inTransaction(context.db, async (tx) => {
    const known = await updateUser(tx, userId, { passwordHash }, async () => {
      if (logoutDevices) await endSessionsOfPassword(tx, context, userId, exceptDevice);
    });
    if (!known) throw notFound('User not found');
  });
}

/** With the old password ends all that somebody else may have got by it. */
export async function endSessionsOfPassword(
  tx: Tx,
  context: EndingContext,
  userId: string,
  exceptDevice: string | null = null,
): Promise<void> {
  await endDevices(tx, context, userId, { except: exceptDevice });
  await deleteBorrowedSessions(tx, 'made_for', userId);
  await deleteLoginTokens(tx, userId);
}
