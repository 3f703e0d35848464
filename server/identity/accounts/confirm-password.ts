/** Password confirmation by a signed-in user before sensitive operations. */
import { createHash } from 'node:crypto';
import type { InteractiveAuth } from '../../../shared/api/login.ts';
import type { Config } from '../../platform/config/config.ts';
import { asUserId } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Limiters, user as signedIn, type UserPolicy } from '../../platform/http/policy.ts';
import type { InteractiveSessions, StageCheck } from '../login/interactive-authentication.ts';
import { checkOwnPassword, ownPasswordLimits } from './password-guesses.ts';

export type PasswordContext = {
  db: Database;
  config: Config;
  interactiveSessions: InteractiveSessions;
};

type SensitiveRequest = {
  userId: string;
  /** Such as `POST /account/password`. */
  operation: string;
  /** Parameters besides `auth` are part of the confirmed request. */
  body: { auth?: InteractiveAuth };
};

/** Policy of routes that call `confirmPassword`. */
export const withPassword: UserPolicy = { ...signedIn, limits: ownPasswordLimits };

/** Carries out a request once the user has confirmed it. @throws MatrixError 401 with the stage; 403 for another user */
export function confirmPassword<Result>(
  context: PasswordContext,
  limiter: Limiters,
  { userId, operation, body }: SensitiveRequest,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  const { auth, ...parameters } = body;
  const operationWith = (values: object) => digest([operation, userId, Object.entries(values).sort()]);
  return context.interactiveSessions.authenticate(
    {
      auth,
      operation: operationWith(parameters),
      initialOperation: operationWith({}),
      stages: new Map([['m.login.password', passwordStage(context, limiter, userId)]]),
    },
    carryOut,
  );
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const passwordStage =
  ({ db, config }: PasswordContext, limiter: Limiters, userId: string): StageCheck =>
  async ({ identifier, user, password }) => {
    if (identifier && identifier.type !== 'm.id.user') {
      throw invalidParameter('Unknown login identifier type');
    }
    const name = identifier?.user ?? user;
    if (name === undefined || password === undefined) {
      throw invalidParameter("Missing 'identifier.user' or 'password' in auth");
    }
    if (asUserId(name.toLowerCase(), config.serverName) !== userId) throw forbidden('Invalid auth');
    if (!(await checkOwnPassword({ db, limiter }, userId, password))) {
      throw new MatrixError(401, 'M_FORBIDDEN', 'Invalid username or password');
    }
  };
