/** Asking a signed-in user for the password before something grave is done. */

import { createHash } from 'node:crypto';
import type { InteractiveAuth } from '../../shared/api/interactive-auth.ts';
import type { Config } from '../config/config.ts';
import { asUserId } from '../core/identifiers.ts';
import { forbidden, invalidParameter, MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { RateLimiters } from '../http/rate-limiter.ts';
import type { InteractiveSessions, StageCheck } from './interactive-authentication.ts';
import { verifyPassword } from './passwords.ts';
import { findUser } from './user-store.ts';

/** What it takes to have someone say their password once more. */
export type PasswordContext = {
  db: Database;
  config: Config;
  rateLimiters: RateLimiters;
  interactiveSessions: InteractiveSessions;
};

export type GraveRequest = {
  userId: string;
  /** What is asked for, such as `POST /account/password`. */
  operation: string;
  /** With `auth`; what else it holds is part of what the user agrees to. */
  body: { auth?: InteractiveAuth };
};

/**
 * Carries a request out once its user has given the password.
 *
 * @throws MatrixError 401 that lists the stage; 403 for another user's password
 */
export function confirmPassword<Result>(
  services: PasswordContext,
  { userId, operation, body }: GraveRequest,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  const { auth, ...asked } = body;
  return services.interactiveSessions.authenticate(
    {
      auth,
      operation: digest([operation, userId, Object.entries(asked).sort()]),
      stages: new Map([['m.login.password', passwordStage(services, userId)]]),
    },
    carryOut,
  );
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const passwordStage =
  ({ db, config, rateLimiters }: PasswordContext, userId: string): StageCheck =>
  async ({ identifier, user, password }) => {
    if (identifier && identifier.type !== 'm.id.user') {
      throw invalidParameter(`This server does not know users by '${identifier.type}'`);
    }
    const name = identifier?.user ?? user;
    if (name === undefined || password === undefined) {
      throw invalidParameter("The authentication has to have 'identifier.user' and 'password'");
    }
    // Who is signed in as one user can't agree for another.
    if (asUserId(name.toLowerCase(), config.serverName) !== userId) throw forbidden('Invalid auth');
    rateLimiters.loginFailures.take(userId);
    const known = await findUser(db, userId);
    if (!(await verifyPassword(password, known?.passwordHash))) {
      throw new MatrixError(401, 'M_FORBIDDEN', 'Invalid username or password');
    }
    rateLimiters.loginFailures.giveBack(userId);
  };
