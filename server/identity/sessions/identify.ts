/** Authentication by access token. */
import type { Config } from '../../platform/config/config.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import { forbidden, MatrixError, unknownToken, userLocked } from '../../platform/core/matrix-error.ts';
import type { Caller } from '../../platform/core/requester.ts';
import type { Credentials } from '../../platform/http/authentication.ts';
import type { AppService } from '../accounts/app-services.ts';
import { type AccountContext, ensureUser } from '../accounts/create-user.ts';
import { findUser, type User } from '../accounts/user-store.ts';
import type { ExternalAuthentication } from '../login/external-authentication.ts';
import { findDevice } from './device-store.ts';
import { findSession, noteFirstUse, type Session } from './session-store.ts';
import type { WrongTokens } from './wrong-tokens.ts';

type IdentityContext = AccountContext & {
  /** Undefined if this server issues access tokens itself. */
  externalAuthentication: ExternalAuthentication | undefined;
  wrongTokens: WrongTokens;
};

/**
 * Returns the caller of a token.
 *
 * @throws MatrixError 401 for an unknown, revoked or expired token and for a locked user; 403 for an application
 *   service that may not act as that user; 429 after too many wrong tokens from the caller's network
 */
export async function identify(context: IdentityContext, credentials: Credentials): Promise<Caller> {
  const appService = context.appServices.findByToken(credentials.token);
  if (appService) {
    requireTokenInHeader(context, credentials);
    return actFor(context, appService, credentials);
  }
  const { db, externalAuthentication, wrongTokens } = context;
  if (externalAuthentication) {
    return wrongTokens.count(credentials, () => externalAuthentication.identify(credentials));
  }
  return wrongTokens.count(credentials, async () => {
    const session = await findSession(db, credentials.hash);
    if (!session) throw unknownToken('Invalid access token passed.');
    if (session.isFirstUse) await noteFirstUse(db, credentials.hash);
    return callerOf(context, session, credentials);
  });
}

/** @throws MatrixError 401 for an expired session and for a locked user */
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
 * Refuses an application service's token in the query, where it would end up in logs, unless configured otherwise.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function requireTokenInHeader(
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
  if (!appService.matchesUser(userId)) {
    throw forbidden(`Application service cannot masquerade as this user (${userId}).`);
  }
  const user = (await findUser(context.db, userId)) ?? (await ensureSender(context, appService, userId));
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

/** Creates an application service's own user on first use; it needs no registration. */
async function ensureSender(
  context: IdentityContext,
  appService: AppService,
  userId: string,
): Promise<User | undefined> {
  if (userId !== appService.senderUserId) return undefined;
  await ensureUser(context, { localpart: localpartOf(userId), appService });
  return findUser(context.db, userId);
}
