/** Registering users over the client API. Interface: "Other endpoints that are referenced", register. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { RegisterRequest } from '../../shared/api/registration.ts';
import type { Dialect } from '../../shared/dialect.ts';
import type { Config } from '../config/config.ts';
import { localpartOf, newUserId } from '../core/identifiers.ts';
import { forbidden, MatrixError, missingParameter, unknownToken } from '../core/matrix-error.ts';
import { randomSecret } from '../core/secrets.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import type { AppService } from './app-services.ts';
import { type AccountContext, createUser } from './create-user.ts';
import { requireDevice, type WantedDevice } from './device-request.ts';
import type { EndingContext } from './endings.ts';
import { requireGuest, upgradeGuest } from './guests.ts';
import { requireAllowedPlace } from './identify.ts';
import {
  type InteractiveSession,
  type InteractiveSessions,
  type Stage,
  type StageCheck,
  unknownSession,
} from './interactive-authentication.ts';
import { releaseToken, setResult } from './interactive-session-store.ts';
import { hashPassword } from './passwords.ts';
import { completeRegistration } from './registration-token-store.ts';
import { registrationTokenStage } from './registration-tokens.ts';
import { type NewSession, openSession } from './sessions.ts';
import { findUser } from './user-store.ts';

/** What it takes to let people register. */
export type RegistrationContext = AccountContext &
  EndingContext & {
    interactiveSessions: InteractiveSessions;
  };

/** A new user, signed in unless `inhibit_login` said otherwise. */
export type Registration = { userId: string; session: NewSession | undefined };

/** @throws MatrixError 403 where people can't register here */
export function requireOpenRegistration({ config }: { config: Config }): void {
  if (!config.registration.enabled || config.externalAuthentication) {
    throw forbidden('Registration has been disabled');
  }
}

/** @throws MatrixError 400 for a name that is taken or reserved, or that nobody can have */
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

/** Registers a person who has passed every stage. @throws MatrixError 401 that lists the stages, 400, 403 */
export async function registerPerson(
  context: RegistrationContext,
  request: RegisterRequest,
): Promise<Registration> {
  requireOpenRegistration(context);
  const { interactiveSessions } = context;
  const { auth } = request;
  const before = await interactiveSessions.recall(auth?.session);
  const said: Said = { ...before.said, ...saidIn(request) };
  const device = requireDevice(said);
  if (before.result === undefined && request.guest_access_token !== undefined) {
    said.guest = await requireGuest(context.db, request.guest_access_token);
  }
  const given = said.username?.toLowerCase();
  const localpart = given ?? (said.guest === undefined ? generatedLocalpart() : localpartOf(said.guest));
  if (before.result === undefined) {
    if (said.guest === undefined) await requireFreeUsername(context, localpart);
    else if (localpart !== localpartOf(said.guest)) throw takenName();
    requirePassword(said, { isLast: auth !== undefined });
  }
  const userId = await interactiveSessions.authenticate(
    { auth, operation: 'register', stages: stagesOf(context), keep: () => asKept(said) },
    async (session) => {
      const made = session.result ?? (await registerOnce(context, { ...said, localpart }, session));
      // Whoever wants another user has to begin again.
      if (given !== undefined && given !== localpartOf(made)) {
        throw unknownSession(session.id);
      }
      return made;
    },
  );
  return signIn(context, userId, said, device);
}

/** What the requests of a session say, each perhaps a part of it. */
type Said = Pick<
  RegisterRequest,
  'username' | 'password' | 'device_id' | 'initial_device_display_name' | 'refresh_token' | 'inhibit_login'
> & {
  /** In place of a password that an earlier request gave. */
  passwordHash?: string;
  /** The guest who is to become a user of the same name. */
  guest?: string;
};

const takenName = () =>
  forbidden('Cannot register taken user ID without valid guest credentials for that user.');

/** What a request leaves out takes back nothing that an earlier one said. */
const saidIn = ({
  username,
  password,
  device_id,
  initial_device_display_name,
  refresh_token,
  inhibit_login,
}: RegisterRequest): Said =>
  JSON.parse(
    JSON.stringify({
      username,
      password,
      device_id,
      initial_device_display_name,
      refresh_token,
      inhibit_login,
    }),
  );

async function asKept({ password, ...said }: Said): Promise<JsonObject> {
  return password === undefined ? said : { ...said, passwordHash: await hashPassword(password) };
}

/** Makes the user of a session; whoever repeats the last step meanwhile gets the same one. */
async function registerOnce(
  context: RegistrationContext,
  { localpart, password, passwordHash, guest }: Said & { localpart: string },
  { id, registrationToken }: InteractiveSession,
): Promise<string> {
  const account = { localpart, ...(password === undefined ? { passwordHash } : { password }) };
  const userId = guest ?? newUserId(localpart, context.config.serverName);
  const withUser = async (tx: Tx) => {
    if (!(await setResult(tx, id, userId))) throw unknownSession(id);
    if (registrationToken === undefined) return;
    // The token may have been deleted, or given fewer uses, since the stage was passed.
    if (!(await completeRegistration(tx, registrationToken))) {
      throw forbidden('The registration token is no longer valid');
    }
    await releaseToken(tx, id);
  };
  try {
    if (guest === undefined) return await createUser(context, account, withUser);
    const hash = password === undefined ? (passwordHash ?? null) : await hashPassword(password);
    await inTransaction(context.db, async (tx) => {
      await upgradeGuest(tx, context, guest, hash);
      await withUser(tx);
    });
    return guest;
  } catch (error) {
    const { result } = await context.interactiveSessions.recall(id);
    if (result === undefined) throw error;
    return result;
  }
}

/** The longest password, in characters, as at the reference homeserver. */
const maximumPassword = 512;

/** Whoever only asks for the stages need not give one yet. @throws MatrixError 400 */
function requirePassword({ password, passwordHash }: Said, { isLast }: { isLast: boolean }): void {
  if (!password && passwordHash === undefined && isLast)
    throw missingParameter("The body has to have 'password'");
  if (password && password.length > maximumPassword) {
    throw new MatrixError(400, 'M_UNKNOWN', `A password can't be longer than ${maximumPassword} characters`);
  }
}

function stagesOf(context: RegistrationContext): Map<Stage, StageCheck> {
  const stages = new Map<Stage, StageCheck>();
  if (context.config.registration.requiresToken) {
    stages.set('m.login.registration_token', registrationTokenStage(context));
  }
  stages.set('m.login.dummy', async () => {});
  return stages;
}

/**
 * Registers a user of an application service, who needs no password.
 *
 * @throws MatrixError 400 `M_EXCLUSIVE` outside of its namespaces; 401 for a token of no application service
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
  requireAllowedPlace(context, presented);
  if (request.username === undefined) {
    throw missingParameter(
      request.user === undefined
        ? "The body has to have 'username'"
        : "The property 'user' is no longer taken: send the name as 'username'",
    );
  }
  const device = requireDevice(request);
  const { config } = context;
  if (config.externalAuthentication && request.inhibit_login !== true) {
    throw appServiceLoginUnsupported(dialect);
  }
  const localpart = request.username.toLowerCase();
  if (!appService.isFor(newUserId(localpart, config.serverName, { reserved: true }))) {
    throw new MatrixError(400, 'M_EXCLUSIVE', 'Invalid user localpart for this application service.');
  }
  await requireFreeUsername(context, localpart, appService);
  const userId = await createUser(context, { localpart, appService });
  return signIn(context, userId, request, device);
}

/** The service that hands out access tokens hands none to application services. Interface: "Errors". */
export const appServiceLoginUnsupported = ({ errorCodePrefix }: Dialect) =>
  new MatrixError(
    400,
    `${errorCodePrefix}.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED`,
    'Application services must register users with inhibit_login set to true: this server hands out no access tokens',
  );

async function signIn(
  context: RegistrationContext,
  userId: string,
  { inhibit_login: inhibited }: Pick<RegisterRequest, 'inhibit_login'>,
  device: WantedDevice,
): Promise<Registration> {
  return { userId, session: inhibited ? undefined : await openSession(context, userId, device) };
}

/** A name for whoever did not ask for one. */
const generatedLocalpart = () =>
  `u${randomSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 12)}`;
