/** Registering with a token. The reference homeserver's "Registration Tokens". */
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { InteractiveSessions, StageCheck } from './interactive-authentication.ts';
import { findRegistrationToken, type RegistrationToken } from './registration-token-store.ts';

export type TokenContext = { db: Database; clock: Clock; interactiveSessions: InteractiveSessions };

/** Whether a token can be used for one more registration. */
export function isValid(
  { clock, interactiveSessions }: Omit<TokenContext, 'db'>,
  { token, usesAllowed, completed, expiryTime }: RegistrationToken,
): boolean {
  if (expiryTime !== null && expiryTime <= clock.now()) return false;
  return usesAllowed === null || completed + interactiveSessions.pendingUses(token) < usesAllowed;
}

/** The stage that takes a token and holds one use of it for the session. */
export const registrationTokenStage =
  (services: TokenContext): StageCheck =>
  async ({ token }, session) => {
    if (token === undefined) throw new MatrixError(401, 'M_MISSING_PARAM', 'Missing registration token');
    const found = await findRegistrationToken(services.db, token);
    // Between this check and the hold nothing is waited for, so no use is given away twice.
    if (session.registrationToken === token) return;
    if (!found || !isValid(services, found)) {
      throw new MatrixError(401, 'M_UNAUTHORIZED', 'Invalid registration token');
    }
    session.registrationToken = token;
  };
