/** Registration tokens. Matrix specification, client-server API, "Token-authenticated registration". */
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
} from './registration-store.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-';
const maximumLength = 64;
const defaultLength = 16;

/** Creates the given token or a random one. @throws MatrixError 400 `M_INVALID_PARAM`, also if the token exists */
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

/** Returns whether a token can be used for one more registration, besides the pending ones. */
export function isValid(
  { clock }: { clock: Clock },
  { usesAllowed, completed, expiryTime }: RegistrationToken,
  pendingUses: number,
): boolean {
  if (expiryTime !== null && expiryTime <= clock.now()) return false;
  return usesAllowed === null || completed + pendingUses < usesAllowed;
}

export const pendingUsesOf = async (
  { db, clock }: { db: Database; clock: Clock },
  token: string,
): Promise<number> => (await countPendingUses(db, clock.now(), token)).get(token) ?? 0;

/** Creates the stage that reserves one use of a token for the session. */
export const registrationTokenStage =
  ({ db, clock }: TokenContext): StageCheck =>
  async ({ token }, session) => {
    if (token === undefined) throw new MatrixError(401, 'M_MISSING_PARAM', 'Missing registration token');
    await inTransaction(db, async (tx) => {
      // Locked until the use is reserved, so that two sessions can't reserve the last one.
      const found = await lockRegistrationToken(tx, token);
      if ((await findSessionState(tx, session.id)).registrationToken === token) return;
      if (!found || !isValid({ clock }, found, await pendingUsesOf({ db: tx, clock }, token))) {
        throw new MatrixError(401, 'M_UNAUTHORIZED', 'Invalid registration token');
      }
      await holdToken(tx, session, token);
    });
  };
