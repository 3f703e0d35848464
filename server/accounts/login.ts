/** The ways to log in. Interface: "POST …/login", "JWT login request", "Authentication". */

import type { LoginRequest, LoginResponse } from '../../shared/api/login.ts';
import type { Dialect } from '../../shared/dialect.ts';
import { asUserId } from '../core/identifiers.ts';
import { forbidden, invalidParameter, missingParameter, unknownToken } from '../core/matrix-error.ts';
import type { PresentedToken } from '../http/authentication.ts';
import type { RateLimiters } from '../http/rate-limiter.ts';
import { type AccountContext, ensureUser, openSession, redeemLoginToken } from './accounts.ts';
import { requireDevice } from './device-request.ts';
import { requireAllowedPlace } from './identify.ts';
import type { JwtVerifier } from './jwt.ts';
import { verifyPassword } from './passwords.ts';
import { appServiceLoginUnsupported } from './registration.ts';
import { findUser } from './user-store.ts';

/** What it takes to log someone in. */
export type LoginContext = AccountContext & {
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  rateLimiters: RateLimiters;
};

/** The login types that this server takes, in the order in which it lists them. */
export function loginTypes({ jwtVerifier, config }: LoginContext, dialect: Dialect): string[] {
  // Interface: "Authentication" 6. Then access tokens come from elsewhere.
  if (config.externalAuthentication) return [];
  return [
    ...(jwtVerifier ? [dialect.jwtLoginType] : []),
    'm.login.password',
    'm.login.token',
    appServiceLogin,
  ];
}

const appServiceLogin = 'm.login.application_service';

/**
 * Logs a user in.
 *
 * @param presented gives the token of a request; only application services need one
 * @throws MatrixError 403 `M_FORBIDDEN` for wrong credentials, 400 for a request that names none and for a
 *   user that is reserved for an application service, 429 for too many tries
 */
export async function logIn(
  services: LoginContext,
  dialect: Dialect,
  request: LoginRequest,
  presented: () => PresentedToken,
): Promise<LoginResponse> {
  if (request.type === appServiceLogin && services.config.externalAuthentication) {
    throw appServiceLoginUnsupported(dialect);
  }
  if (!loginTypes(services, dialect).includes(request.type)) {
    throw invalidParameter(`This server does not take the login type '${request.type}'`);
  }
  requireDevice(request);
  if (request.type === appServiceLogin) {
    return openSession(services, appServiceUser(services, request, presented()), request);
  }
  const userId = await userOf(services, dialect, request);
  services.appServices.refuseReserved(userId);
  services.rateLimiters.loginAccount.take(userId);
  return openSession(services, userId, request);
}

function userOf(services: LoginContext, dialect: Dialect, request: LoginRequest): Promise<string> {
  switch (request.type) {
    case dialect.jwtLoginType:
      return jwtUser(services, request);
    case 'm.login.token':
      if (request.token === undefined) throw missingParameter("The body has to have 'token'");
      return redeemLoginToken(services, request.token);
    default:
      return passwordUser(services, request);
  }
}

/** The user that an application service names, who has to be in its namespaces. */
function appServiceUser(services: LoginContext, request: LoginRequest, presented: PresentedToken): string {
  const appService = services.appServices.findByToken(presented.token);
  if (!appService) throw unknownToken('Invalid access token passed.');
  requireAllowedPlace(services, presented);
  const userId = asUserId(nameIn(request), services.config.serverName);
  if (!appService.isFor(userId)) throw forbidden(`This application service is not for ${userId}`);
  return userId;
}

function nameIn({ identifier, user }: LoginRequest): string {
  if (identifier && identifier.type !== 'm.id.user') {
    throw invalidParameter(`This server does not know users by '${identifier.type}'`);
  }
  const name = identifier?.user ?? user;
  if (name === undefined) throw missingParameter("The body has to have 'identifier.user'");
  return name.toLowerCase();
}

async function passwordUser(
  { db, config, rateLimiters }: LoginContext,
  request: LoginRequest,
): Promise<string> {
  const name = nameIn(request);
  const { password } = request;
  if (password === undefined) throw missingParameter("The body has to have 'password'");

  const userId = asUserId(name, config.serverName);
  // Counted before the password is checked, or many tries at once would all pass.
  rateLimiters.loginFailures.take(userId);
  const user = await findUser(db, userId);
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) {
    throw forbidden('Invalid username or password');
  }
  rateLimiters.loginFailures.giveBack(userId);
  return user.userId;
}

/** The user whom a valid token names, made if there is none yet. Interface: "JWT claims". */
async function jwtUser(services: LoginContext, request: LoginRequest): Promise<string> {
  if (request.token === undefined) throw forbidden('Token field for JWT is missing');
  if (!services.jwtVerifier) throw forbidden('JWT login is not enabled');
  const { localpart, displayName } = await services.jwtVerifier(request.token);
  const { userId } = await ensureUser(services, {
    localpart,
    ...(displayName === undefined ? {} : { displayName }),
  });
  return userId;
}
