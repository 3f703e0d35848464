/** Whose a token is. Interface: "Authentication". */

import type { Config } from '../config/config.ts';
import { localpartOf } from '../core/identifiers.ts';
import { forbidden, MatrixError, unknownToken, userLocked } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';
import type { Credentials } from '../http/authentication.ts';
import type { AppService } from './app-services.ts';
import { type AccountContext, ensureUser } from './create-user.ts';
import { findDevice } from './device-store.ts';
import type { ExternalAuthentication } from './external-authentication.ts';
import type { KnownSessions } from './known-sessions.ts';
import type { Session } from './session-store.ts';
import { findUser, type User } from './user-store.ts';
import type { WrongTokens } from './wrong-tokens.ts';

/** What it takes to say whose a token is. */
export type IdentityContext = AccountContext & {
  /** Undefined where access tokens come from this server itself. */
  externalAuthentication: ExternalAuthentication | undefined;
  wrongTokens: WrongTokens;
  sessions: KnownSessions;
};

/**
 * Whom a token speaks for; at once, where that is known and certain.
 *
 * @throws MatrixError 401 for a token that is not good (any more) and for a locked user; 403 for an
 *   application service that may not act as that user; 429 where too many wrong tokens came from its network
 */
export function identify(context: IdentityContext, credentials: Credentials): Caller | Promise<Caller> {
  const appService = context.appServices.findByToken(credentials.token);
  if (appService) {
    requireAllowedPlace(context, credentials);
    return actFor(context, appService, credentials);
  }
  const { externalAuthentication, sessions, wrongTokens } = context;
  if (externalAuthentication) {
    return wrongTokens.count(credentials, () => externalAuthentication.identify(credentials));
  }
  const { hash } = credentials;
  const session = sessions.recall(hash);
  if (session) return callerOf(context, session, credentials);
  return wrongTokens.count(credentials, async () => {
    const found = await sessions.find(hash);
    if (!found) throw unknownToken('Invalid access token passed.');
    return callerOf(context, found, credentials);
  });
}

/** @throws MatrixError 401 for a session that has expired, and for a locked user */
function callerOf(context: IdentityContext, session: Session, { evenIfLocked }: Credentials): Caller {
  if (session.expiresTs !== null && session.expiresTs <= context.clock.now()) {
    throw unknownToken('Access token has expired', { softLogout: true });
  }
  if (session.locked && !evenIfLocked) throw userLocked();
  return {
    userId: session.userId,
    deviceId: session.deviceId,
    admin: session.admin,
    suspended: session.suspended,
    shadowBanned: session.shadowBanned,
    actsFor: session.madeFor ?? undefined,
    ...(session.guest && { guest: true }),
  };
}

/**
 * Refuses an application service's token in the query, where it ends up in logs, unless that is wanted.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function requireAllowedPlace(
  { config }: { config: Config },
  { inQuery }: Pick<Credentials, 'inQuery'>,
): void {
  if (!inQuery || config.useAppServiceLegacyAuthorization) return;
  throw new MatrixError(
    401,
    'M_MISSING_TOKEN',
    'Application services must send their token in the Authorization header',
  );
}

async function actFor(
  context: IdentityContext,
  appService: AppService,
  { userId = appService.senderUserId, deviceId, evenIfLocked }: Credentials,
): Promise<Caller> {
  if (!appService.isFor(userId)) {
    throw forbidden(`Application service cannot masquerade as this user (${userId}).`);
  }
  const user = (await findUser(context.db, userId)) ?? (await makeSender(context, appService, userId));
  if (!user || user.deactivated) {
    throw forbidden(`Application service has not registered this user (${userId})`);
  }
  if (user.locked && !evenIfLocked) throw userLocked();
  if (deviceId !== undefined && !(await findDevice(context.db, userId, deviceId))) {
    throw new MatrixError(400, 'M_UNKNOWN_DEVICE', `${userId} has no device ${deviceId}`);
  }
  return {
    userId,
    deviceId: deviceId ?? null,
    admin: user.admin,
    suspended: user.suspended,
    shadowBanned: user.shadowBanned,
    actsFor: undefined,
    appServiceId: appService.id,
  };
}

/** The user that a service is when it speaks for itself needs no registration: it is made when it first does. */
async function makeSender(
  context: IdentityContext,
  appService: AppService,
  userId: string,
): Promise<User | undefined> {
  if (userId !== appService.senderUserId) return undefined;
  await ensureUser(context, { localpart: localpartOf(userId), appService });
  return findUser(context.db, userId);
}
