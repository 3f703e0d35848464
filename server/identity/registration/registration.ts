/** Matrix specification, client-server API, "Account registration". */
import type { RegisterRequest } from '../../../shared/api/registration.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import type { Config } from '../../platform/config/config.ts';
import { newUserId } from '../../platform/core/identifiers.ts';
import { forbidden, MatrixError, missingParameter, unknownToken } from '../../platform/core/matrix-error.ts';
import type { AppService } from '../accounts/app-services.ts';
import { type AccountContext, createUser } from '../accounts/create-user.ts';
import { findUser } from '../accounts/user-store.ts';
import { type DeviceOptions, requireDevice } from '../login/device-request.ts';
import type { InteractiveSessions } from '../login/interactive-authentication.ts';
import { requireTokenInHeader } from '../sessions/identify.ts';
import type { DeviceDeletionContext } from '../sessions/sessions.ts';
import { type NewSession, openSession } from '../sessions/sessions.ts';

export type RegistrationContext = AccountContext &
  DeviceDeletionContext & {
    interactiveSessions: InteractiveSessions;
  };

/** A new user, with a session unless `inhibit_login` was set. */
export type Registration = { userId: string; session: NewSession | undefined };

/** @throws MatrixError 403 if registration is disabled */
export function requireOpenRegistration({ config }: { config: Config }): void {
  if (!config.registration.enabled || config.externalAuthentication) {
    throw forbidden('Registration has been disabled');
  }
}

/** @throws MatrixError 400 for a name that is taken, reserved or invalid */
export async function requireFreeUsername(
  { db, config, appServices }: AccountContext,
  localpart: string,
  appService?: AppService,
): Promise<void> {
  const userId = newUserId(localpart, config.serverName, { reserved: appService !== undefined });
  appServices.refuseReserved(userId, appService);
  if (await findUser(db, userId)) {
    throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
  }
}

/**
 * Registers a user of an application service, without a password.
 *
 * @throws MatrixError 400 `M_EXCLUSIVE` outside of its namespaces; 401 for an unknown token
 */
export async function registerByAppService(
  context: RegistrationContext,
  dialect: Dialect,
  presented: { token: string; inQuery: boolean } | undefined,
  request: RegisterRequest,
): Promise<Registration> {
  if (!presented) {
    throw new MatrixError(
      400,
      'M_UNKNOWN',
      'Appservice token must be provided when using a type of m.login.application_service',
    );
  }
  const appService = context.appServices.findByToken(presented.token);
  if (!appService) throw unknownToken('Unrecognised access token');
  requireTokenInHeader(context, presented);
  if (request.username === undefined) {
    throw missingParameter(
      request.user === undefined
        ? "Missing 'username'"
        : "Property 'user' is no longer supported. Use 'username'.",
    );
  }
  const device = requireDevice(request);
  const { config } = context;
  if (config.externalAuthentication && request.inhibit_login !== true) {
    throw appServiceLoginUnsupported(dialect);
  }
  const localpart = request.username.toLowerCase();
  if (!appService.matchesUser(newUserId(localpart, config.serverName, { reserved: true }))) {
    throw new MatrixError(400, 'M_EXCLUSIVE', 'Invalid user localpart for this application service.');
  }
  await requireFreeUsername(context, localpart, appService);
  const userId = await createUser(context, { localpart, appService });
  return signIn(context, userId, request, device);
}

/** External authentication issues no access tokens to application services. */
export const appServiceLoginUnsupported = ({ errorCodePrefix }: Dialect) =>
  new MatrixError(
    400,
    `${errorCodePrefix}.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED`,
    "Application services must set inhibit_login to true: this server doesn't issue access tokens",
  );

/** Logs a new user in, unless `inhibit_login` is set. */
export async function signIn(
  context: RegistrationContext,
  userId: string,
  { inhibit_login: inhibited }: Pick<RegisterRequest, 'inhibit_login'>,
  device: DeviceOptions,
): Promise<Registration> {
  return { userId, session: inhibited ? undefined : await openSession(context, userId, device) };
}
