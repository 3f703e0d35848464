/** Tokens with which people register. The reference homeserver's "Registration Tokens". */
import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { NewRegistrationToken } from '../../../shared/api/registration.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { StageCheck } from '../login/interactive-authentication.ts';
import { countPendingUses, findSessionState, holdToken } from '../login/interactive-session-store.ts';
import {
  insertRegistrationToken,
  lockRegistrationToken,
  type RegistrationToken,
} from './registration-token-store.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-';
const maximumLength = 64;
const defaultLength = 16;

/**
 * Makes the token that is asked for, or one at random.
 *
 * @throws MatrixError 400 `M_INVALID_PARAM`, also for a token that there is already
 */
export async function createRegistrationToken(
  context: { db: Database; clock: Clock },
  request: NewRegistrationToken,
): Promise<RegistrationToken> {
  const usesAllowed = request.uses_allowed ?? null;
  const expiryTime = request.expiry_time ?? null;
  requireFuture(context, expiryTime);
  const token = request.token === undefined ? randomToken(request.length) : requireToken(request.token);
  if (!(await insertRegistrationToken(context.db, { token, usesAllowed, expiryTime }))) {
    throw invalidParameter(`Token already exists: ${token}`);
  }
  return { token, usesAllowed, expiryTime, completed: 0 };
}

/** @throws MatrixError 400 `M_INVALID_PARAM` */
export function requireFuture({ clock }: { clock: Clock }, expiryTime: number | null | undefined): void {
  if (expiryTime != null && expiryTime < clock.now()) {
    throw invalidParameter('expiry_time must not be in the past');
  }
}

function requireToken(token: string): string {
  if (token.length === 0 || token.length > maximumLength) {
    throw invalidParameter(`token must not be empty and must not be longer than ${maximumLength} characters`);
  }
  if (!/^[A-Za-z0-9._~-]+$/.test(token)) {
    throw invalidParameter('token must consist only of the characters A-Z, a-z, 0-9 and ._~-');
  }
  return token;
}

function randomToken(length = defaultLength): string {
  if (length < 1 || length > maximumLength) {
    throw invalidParameter(`length must be greater than zero and not greater than ${maximumLength}`);
  }
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

type TokenContext = { db: Kysely<Schema>; clock: Clock };

/** Whether a token can be used for one more registration, while so many that were begun have not ended. */
export function isValid(
  { clock }: { clock: Clock },
  { usesAllowed, completed, expiryTime }: RegistrationToken,
  pendingUses: number,
): boolean {
  if (expiryTime !== null && expiryTime <= clock.now()) return false;
  return usesAllowed === null || completed + pendingUses < usesAllowed;
}

/** How many registrations have begun with a token and not ended. */
export const pendingUsesOf = async (
  { db, clock }: { db: Database; clock: Clock },
  token: string,
): Promise<number> => (await countPendingUses(db, clock.now(), token)).get(token) ?? 0;

/** The stage that takes a token and holds one use of it for the session. */
export const registrationTokenStage =
  ({ db, clock }: TokenContext): StageCheck =>
  async ({ token }, session) => {
    if (token === undefined) throw new MatrixError(401, 'M_MISSING_PARAM', 'Missing registration token');
    await inTransaction(db, async (tx) => {
      // Until the use is held nobody else can count what is left, so none is given away twice.
      const found = await lockRegistrationToken(tx, token);
      if ((await findSessionState(tx, session.id)).registrationToken === token) return;
      if (!found || !isValid({ clock }, found, await pendingUsesOf({ db: tx, clock }, token))) {
        throw new MatrixError(401, 'M_UNAUTHORIZED', 'Invalid registration token');
      }
      await holdToken(tx, session, token);
    });
  };
