/** Registering with a token. The reference homeserver's "Registration Tokens". */
import { MatrixError } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { findRegistrationToken, type RegistrationToken } from '../storage/registration-tokens.ts';
import type { StageCheck } from './interactive.ts';

type TokenServices = Pick<Services, 'db' | 'clock' | 'interactiveSessions'>;

/** Whether a token can be used for one more registration. */
export function isValid(
  { clock, interactiveSessions }: Omit<TokenServices, 'db'>,
  { token, usesAllowed, completed, expiryTime }: RegistrationToken,
): boolean {
  if (expiryTime !== null && expiryTime <= clock.now()) return false;
  return usesAllowed === null || completed + interactiveSessions.pendingUses(token) < usesAllowed;
}

/** The stage that takes a token and holds one use of it for the session. */
export const registrationTokenStage =
  (services: TokenServices): StageCheck =>
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
