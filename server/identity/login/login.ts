/** Login by password, JWT, login token or application service. Matrix specification, client-server API, "Login". */
import type { FastifyRequest } from 'fastify';
import type { LoginRequest } from '../../../shared/api/login.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { asUserId, localpartOf } from '../../platform/core/identifiers.ts';
import {
  forbidden,
  invalidParameter,
  missingParameter,
  unknownToken,
} from '../../platform/core/matrix-error.ts';
import { networkOf } from '../../platform/core/network.ts';
import { type PresentedToken, presentedToken } from '../../platform/http/authentication.ts';
import { type AccountContext, ensureUser } from '../accounts/create-user.ts';
import { checkPassword } from '../accounts/password-guesses.ts';
import { appServiceLoginUnsupported } from '../registration/registration.ts';
import { requireTokenInHeader } from '../sessions/identify.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { type NewSession, openSession, type Proof, wrongPassword } from '../sessions/sessions.ts';
import { requireDevice } from './device-request.ts';
import type { JwtVerifier } from './jwt.ts';
import { findLoginTokenUser, redeemLoginToken } from './login-tokens.ts';

export type LoginContext = AccountContext & {
  lastSeen: LastSeen;
  /** Undefined if JWT login is disabled. */
  jwtVerifier: JwtVerifier | undefined;
};

function loginTypes({ jwtVerifier, config }: LoginContext, dialect: Dialect): string[] {
  // The external service issues access tokens.
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
 * Returns the supported login types in order. Login tokens are listed only if signed-in users can create them: the
 * sign-in links of administrators contain one as well, but need no list.
 */
export const listedLogins = (
  context: LoginContext,
  dialect: Dialect,
): { type: string; get_login_token?: true }[] =>
  loginTypes(context, dialect).flatMap((type) => {
    if (type !== 'm.login.token') return { type };
    return context.config.loginViaExistingSession ? { type, get_login_token: true as const } : [];
  });

/**
 * Logs a user in.
 *
 * @throws MatrixError 403 `M_FORBIDDEN` for wrong credentials, 400 for a request without credentials and for a
 *   user ID that is reserved for an application service, 429 after too many attempts
 */
export async function logIn(
  context: LoginContext,
  request: FastifyRequest,
  login: LoginRequest,
): Promise<NewSession> {
  const { dialect, limiter } = request;
  if (login.type === appServiceLogin && context.config.externalAuthentication) {
    throw appServiceLoginUnsupported(dialect);
  }
  if (!loginTypes(context, dialect).includes(login.type)) {
    throw invalidParameter(`Unknown login type ${login.type}`);
  }
  const device = requireDevice(login);
  if (login.type === appServiceLogin) {
    return openSession(context, await appServiceUser(context, login, presentedToken(request)), device);
  }
  const { userId, requireProof } = await authenticate(context, request, login);
  context.appServices.refuseReserved(userId);
  await limiter('loginAccount').take(userId);
  return openSession(context, userId, device, requireProof);
}

/** A user, and a check at the opening of the session that the credentials are still valid. */
type AuthenticatedUser = { userId: string; requireProof?: Proof };

async function authenticate(
  context: LoginContext,
  request: FastifyRequest,
  login: LoginRequest,
): Promise<AuthenticatedUser> {
  const { jwtVerifier } = context;
  if (jwtVerifier && login.type === request.dialect.jwtLoginType) {
    return { userId: await jwtUser(context, jwtVerifier, login) };
  }
  if (login.type === 'm.login.token') {
    if (login.token === undefined) throw missingParameter('Token field for login token is missing');
    return tokenUser(context, login.token);
  }
  return passwordUser(context, request, login);
}

/** @throws MatrixError 401 for an unknown token, 403 for a user outside the namespaces of the application service */
async function appServiceUser(
  context: LoginContext,
  login: LoginRequest,
  presented: PresentedToken,
): Promise<string> {
  const appService = context.appServices.findByToken(presented.token);
  if (!appService) throw unknownToken('Invalid access token passed.');
  requireTokenInHeader(context, presented);
  const userId = asUserId(nameIn(login), context.config.serverName);
  if (!appService.matchesUser(userId))
    throw forbidden(`Application service has not registered this user (${userId})`);
  // Its own user needs no registration.
  if (userId === appService.senderUserId) {
    await ensureUser(context, { localpart: localpartOf(userId), appService });
  }
  return userId;
}

function nameIn({ identifier, user }: LoginRequest): string {
  if (identifier && identifier.type !== 'm.id.user') {
    throw invalidParameter('Unknown login identifier type');
  }
  const name = identifier?.user ?? user;
  if (name === undefined) throw missingParameter("User identifier is missing 'user' key");
  return name.toLowerCase();
}

async function passwordUser(
  { db, config, lastSeen }: LoginContext,
  { ip, limiter }: FastifyRequest,
  login: LoginRequest,
): Promise<AuthenticatedUser> {
  const name = nameIn(login);
  const { password } = login;
  if (password === undefined) throw missingParameter("Missing 'password'");

  const user = await checkPassword(
    { db, limiter, lastSeen },
    asUserId(name, config.serverName),
    password,
    networkOf(ip),
  );
  if (!user) throw wrongPassword();
  const { userId, passwordHash } = user;
  return {
    userId,
    requireProof: (_, now) => {
      if (now.passwordHash !== passwordHash) throw wrongPassword();
    },
  };
}

/** The token is redeemed with the session that it opens; if that fails, it stays valid. */
const tokenUser = async (context: LoginContext, token: string): Promise<AuthenticatedUser> => ({
  userId: await findLoginTokenUser(context, token),
  requireProof: async (tx) => {
    await redeemLoginToken(tx, context, token);
  },
});

/** Returns the user of a valid JWT, creating the account if needed. */
async function jwtUser(
  context: LoginContext,
  verifier: JwtVerifier,
  { token }: LoginRequest,
): Promise<string> {
  if (token === undefined) throw forbidden('Token field for JWT is missing');
  const { localpart, displayName } = await verifier.verify(token);
  const { userId } = await ensureUser(context, {
    localpart,
    ...(displayName === undefined ? {} : { displayName }),
  });
  return userId;
}
