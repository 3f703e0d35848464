/** The ways to log in. Interface: "POST …/login", "JWT login request", "Authentication". */
import type { LoginRequest } from '../../../shared/api/login.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { asUserId } from '../../platform/core/identifiers.ts';
import {
  forbidden,
  invalidParameter,
  missingParameter,
  unknownToken,
} from '../../platform/core/matrix-error.ts';
import type { PresentedToken } from '../../platform/http/authentication.ts';
import type { Limiters } from '../../platform/http/policy.ts';
import { type AccountContext, ensureUser } from '../accounts/create-user.ts';
import { checkPassword } from '../accounts/password-guesses.ts';
import { appServiceLoginUnsupported } from '../registration/registration.ts';
import { requireAllowedPlace } from '../sessions/identify.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { type NewSession, openSession, type Proof, wrongPassword } from '../sessions/sessions.ts';
import { requireDevice } from './device-request.ts';
import type { JwtVerifier } from './jwt.ts';
import { findLoginTokenUser, redeemLoginToken } from './login-tokens.ts';

/** What it takes to log someone in. */
export type LoginContext = AccountContext & {
  lastSeen: LastSeen;
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
};

/** The login types that this server takes. */
function loginTypes({ jwtVerifier, config }: LoginContext, dialect: Dialect): string[] {
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
 * The login types that this server lists, in their order. Tokens for one login come from who is logged in, where they
 * may ask for one; the links that administrators make hold one, too, and whoever has such a link asks for no list.
 */
export const listedLogins = (
  context: LoginContext,
  dialect: Dialect,
): { type: string; get_login_token?: true }[] =>
  loginTypes(context, dialect).flatMap((type) => {
    if (type !== 'm.login.token') return { type };
    return context.config.loginViaExistingSession ? { type, get_login_token: true as const } : [];
  });

export type LoginOrigin = {
  /** What the address that the request comes from counts as. */
  network: string;
  limiter: Limiters;
  /** Gives the token of the request; only application services need one. */
  presented: () => PresentedToken;
};

/**
 * Logs a user in.
 *
 * @throws MatrixError 403 `M_FORBIDDEN` for wrong credentials, 400 for a request that names none and for a
 *   user that is reserved for an application service, 429 for too many tries
 */
export async function logIn(
  context: LoginContext,
  dialect: Dialect,
  request: LoginRequest,
  origin: LoginOrigin,
): Promise<NewSession> {
  if (request.type === appServiceLogin && context.config.externalAuthentication) {
    throw appServiceLoginUnsupported(dialect);
  }
  if (!loginTypes(context, dialect).includes(request.type)) {
    throw invalidParameter(`Unknown login type ${request.type}`);
  }
  const device = requireDevice(request);
  if (request.type === appServiceLogin) {
    return openSession(context, appServiceUser(context, request, origin.presented()), device);
  }
  const { userId, requireProof } = await userOf(context, dialect, request, origin);
  context.appServices.refuseReserved(userId);
  await origin.limiter('loginAccount').take(userId);
  return openSession(context, userId, device, requireProof);
}

/** Who somebody has proved to be, and whether they still have, if it was by what may end. */
type Proved = { userId: string; requireProof?: Proof };

async function userOf(
  context: LoginContext,
  dialect: Dialect,
  request: LoginRequest,
  origin: LoginOrigin,
): Promise<Proved> {
  switch (request.type) {
    case dialect.jwtLoginType:
      return { userId: await jwtUser(context, request) };
    case 'm.login.token':
      if (request.token === undefined) throw missingParameter('Token field for login token is missing');
      return tokenUser(context, request.token);
    default:
      return passwordUser(context, request, origin);
  }
}

/** The user that an application service names, who has to be in its namespaces. */
function appServiceUser(context: LoginContext, request: LoginRequest, presented: PresentedToken): string {
  const appService = context.appServices.findByToken(presented.token);
  if (!appService) throw unknownToken('Invalid access token passed.');
  requireAllowedPlace(context, presented);
  const userId = asUserId(nameIn(request), context.config.serverName);
  if (!appService.isFor(userId))
    throw forbidden(`Application service has not registered this user (${userId})`);
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
  request: LoginRequest,
  { network, limiter }: LoginOrigin,
): Promise<Proved> {
  const name = nameIn(request);
  const { password } = request;
  if (password === undefined) throw missingParameter("Missing 'password'");

  const user = await checkPassword(
    { db, limiter, lastSeen },
    asUserId(name, config.serverName),
    password,
    network,
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

/** The user whom a login token is for. It is used up with the session that it opens, and goes if it never does. */
const tokenUser = async (context: LoginContext, token: string): Promise<Proved> => ({
  userId: await findLoginTokenUser(context, token),
  requireProof: async (tx) => {
    await redeemLoginToken(tx, context, token);
  },
});

/** The user whom a valid token names, made if there is none yet. Interface: "JWT claims". */
async function jwtUser(context: LoginContext, request: LoginRequest): Promise<string> {
  if (request.token === undefined) throw forbidden('Token field for JWT is missing');
  if (!context.jwtVerifier) throw forbidden('JWT login is not enabled');
  const { localpart, displayName } = await context.jwtVerifier.verify(request.token);
  const { userId } = await ensureUser(context, {
    localpart,
    ...(displayName === undefined ? {} : { displayName }),
  });
  return userId;
}
