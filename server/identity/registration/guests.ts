/** Matrix specification, client-server API, "Guest Access". */
import { randomInt } from 'node:crypto';
import { forbidden, MatrixError, unknownToken } from '../../platform/core/matrix-error.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { type AccountContext, ensureUser } from '../accounts/create-user.ts';
import { findUser, updateUser } from '../accounts/user-store.ts';
import { requireDevice } from '../login/device-request.ts';
import { findSession } from '../sessions/session-store.ts';
import {
  type DeviceDeletionContext,
  deleteDevices,
  type NewSession,
  openSession,
} from '../sessions/sessions.ts';

/** Creates a guest with a session. @throws MatrixError 403 if guest access is disabled */
export async function registerGuest(
  context: AccountContext,
  request: { initial_device_display_name?: string | undefined },
): Promise<NewSession> {
  const { config } = context;
  if (!config.allowsGuests || config.externalAuthentication) {
    throw new MatrixError(403, 'M_UNKNOWN', 'Guest access is disabled');
  }
  const { initial_device_display_name } = request;
  const device = requireDevice({ initial_device_display_name });
  for (;;) {
    const { userId, created } = await ensureUser(context, { localpart: randomNumber(), guest: true });
    if (created) return openSession(context, userId, device);
  }
}

const randomNumber = () => String(randomInt(1, 2 ** 48 - 1));

/** Returns the guest of a token. @throws MatrixError 401 for an unknown token or a regular user's */
export async function requireGuest(db: Database, token: string): Promise<string> {
  const session = await findSession(db, tokenHash(token));
  if (!session) throw unknownToken('Invalid access token passed.');
  if (!session.guest) throw unknownToken('Guest access token used for regular user');
  return session.userId;
}

/** Turns a guest into a user and signs it out. @throws MatrixError 403 if the account is no longer a guest */
export async function upgradeGuest(
  tx: Tx,
  context: DeviceDeletionContext,
  userId: string,
  passwordHash: string | null,
): Promise<void> {
  await updateUser(tx, userId, { guest: false, passwordHash }, async () => {
    if ((await findUser(tx, userId))?.guest !== true) throw forbidden('This account is no longer a guest');
    await deleteDevices(tx, context, userId, { except: null });
  });
}
