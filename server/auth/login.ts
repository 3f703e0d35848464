/** The ways to log in. Interface: "POST …/login", "JWT login request", "Authentication". */
import type { LoginRequest, LoginResponse } from '../../shared/api/login.ts';
import type { Dialect } from '../../shared/dialect.ts';
import { forbidden, invalidParameter, missingParameter } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { findUser } from '../storage/users.ts';
import { ensureUser, openSession, redeemLoginToken } from './accounts.ts';
import { asUserId } from './identifiers.ts';
import { verifyPassword } from './passwords.ts';

/** The login types that this server takes, in the order in which it lists them. */
export function loginTypes({ jwtVerifier }: Services, dialect: Dialect): string[] {
  return [...(jwtVerifier ? [dialect.jwtLoginType] : []), 'm.login.password', 'm.login.token'];
}

/**
 * Logs a user in.
 *
 * @throws MatrixError 403 `M_FORBIDDEN` for wrong credentials, 400 for a request that names none
 */
export async function logIn(
  services: Services,
  dialect: Dialect,
  request: LoginRequest,
): Promise<LoginResponse> {
  if (!loginTypes(services, dialect).includes(request.type)) {
    throw invalidParameter(`This server does not take the login type '${request.type}'`);
  }
  const userId = await userOf(services, dialect, request);
  return openSession(services, userId, request);
}

function userOf(services: Services, dialect: Dialect, request: LoginRequest): Promise<string> {
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

async function passwordUser({ db, config }: Services, request: LoginRequest): Promise<string> {
  const { identifier, password } = request;
  if (identifier && identifier.type !== 'm.id.user') {
    throw invalidParameter(`This server does not know users by '${identifier.type}'`);
  }
  const name = identifier?.user ?? request.user;
  if (name === undefined) throw missingParameter("The body has to have 'identifier.user'");
  if (password === undefined) throw missingParameter("The body has to have 'password'");

  const user = await findUser(db, asUserId(name.toLowerCase(), config.serverName));
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) {
    throw forbidden('Invalid username or password');
  }
  return user.userId;
}

/** The user whom a valid token names, made if there is none yet. Interface: "JWT claims". */
async function jwtUser(services: Services, request: LoginRequest): Promise<string> {
  if (request.token === undefined) throw forbidden('Token field for JWT is missing');
  if (!services.jwtVerifier) throw forbidden('JWT login is not enabled');
  const { localpart, displayName } = await services.jwtVerifier(request.token);
  const { userId } = await ensureUser(services, {
    localpart,
    ...(displayName === undefined ? {} : { displayName }),
  });
  return userId;
}
