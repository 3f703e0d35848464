/** Registration by user-interactive authentication, in one or several requests. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { RegisterRequest } from '../../../shared/api/registration.ts';
import { localpartOf, newUserId } from '../../platform/core/identifiers.ts';
import { forbidden, MatrixError, missingParameter } from '../../platform/core/matrix-error.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { createUser } from '../accounts/create-user.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { requireDevice } from '../login/device-request.ts';
import {
  type InteractiveSession,
  type Stage,
  type StageCheck,
  unknownSession,
} from '../login/interactive-authentication.ts';
import { releaseToken, setResult } from '../login/interactive-session-store.ts';
import { requireGuest, upgradeGuest } from './guests.ts';
import {
  type Registration,
  type RegistrationContext,
  requireFreeUsername,
  requireOpenRegistration,
  signIn,
} from './registration.ts';
import { completeRegistration } from './registration-store.ts';
import { registrationTokenStage } from './registration-tokens.ts';

/**
 * Registers a user who has passed every stage.
 *
 * @param network of the client
 * @throws MatrixError 401 with the stages, 400, 403
 */
export async function registerUser(
  context: RegistrationContext,
  request: RegisterRequest,
  network: string,
): Promise<Registration> {
  requireOpenRegistration(context);
  const { interactiveSessions } = context;
  const { auth } = request;
  const stored = await interactiveSessions.findStored(auth?.session);
  const parameters: Parameters = { ...stored.parameters, ...parametersIn(request) };
  const device = requireDevice(parameters);
  const username = parameters.username?.toLowerCase();
  let localpart = username ?? generatedLocalpart();
  if (stored.result === undefined) {
    await unlessRegistered(context, auth?.session, async () => {
      if (request.guest_access_token !== undefined) {
        parameters.guest = await requireGuest(context.db, request.guest_access_token);
      }
      if (parameters.guest === undefined) return requireFreeUsername(context, localpart);
      localpart = localpartOf(parameters.guest);
      if (username !== undefined && username !== localpart) throw takenName();
    });
    requirePassword(parameters, { isRequired: auth !== undefined });
  }
  const userId = await interactiveSessions.authenticate(
    {
      auth,
      operation: 'register',
      stages: stagesOf(context),
      parametersToStore: () => withPasswordHash(parameters, network),
    },
    async (session) => {
      const registered =
        session.result ?? (await registerOnce(context, { ...parameters, localpart, network }, session));
      // A session registers one user.
      if (username !== undefined && username !== localpartOf(registered)) {
        throw unknownSession(session.id);
      }
      return registered;
    },
  );
  return signIn(context, userId, parameters, device);
}

/** Combined from the requests of a session. */
type Parameters = Pick<RegisterRequest, (typeof parameterNames)[number]> & {
  /** Hash of a password in an earlier request. */
  passwordHash?: string;
  /** The guest to upgrade, who keeps the user ID. */
  guest?: string;
};

const takenName = () =>
  forbidden('Cannot register taken user ID without valid guest credentials for that user.');

const parameterNames = [
  ...(['username', 'password', 'device_id', 'initial_device_display_name'] as const),
  ...(['refresh_token', 'inhibit_login'] as const),
];

/** Leaves out missing parameters and an empty password, which don't replace those of an earlier request. */
function parametersIn(request: RegisterRequest): Parameters {
  const names = parameterNames.filter(
    (name) => request[name] !== undefined && !(name === 'password' && !request[name]),
  );
  return Object.fromEntries(names.map((name) => [name, request[name]]));
}

async function withPasswordHash({ password, ...others }: Parameters, network: string): Promise<JsonObject> {
  return password === undefined ? others : { ...others, passwordHash: await hashPassword(network, password) };
}

/** Registers the user of a session. A concurrent request of the session gets the same user. */
async function registerOnce(
  context: RegistrationContext,
  { localpart, network, password, passwordHash, guest }: Parameters & { localpart: string; network: string },
  { id, registrationToken }: InteractiveSession,
): Promise<string> {
  const account = {
    localpart,
    ...(password === undefined ? { passwordHash } : { password, limiterKey: network }),
  };
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
  const register = async () => {
    if (guest === undefined) return createUser(context, account, withUser);
    const hash = password === undefined ? (passwordHash ?? null) : await hashPassword(network, password);
    await inTransaction(context.db, async (tx) => {
      await upgradeGuest(tx, context, guest, hash);
      await withUser(tx);
    });
  };
  return (await unlessRegistered(context, id, register)) ?? userId;
}

/**
 * Runs a step of a registration. If it fails because a concurrent request of the session has registered the user (the
 * name is taken, or the guest upgraded), returns that user.
 */
async function unlessRegistered(
  { interactiveSessions }: RegistrationContext,
  session: string | undefined,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const { result } = await interactiveSessions.findStored(session);
    if (result === undefined) throw error;
    return result;
  }
}

/** In characters, as in Synapse. */
const maximumPassword = 512;

/** @throws MatrixError 400 */
function requirePassword(
  { password, passwordHash }: Parameters,
  { isRequired }: { isRequired: boolean },
): void {
  if (password === undefined && passwordHash === undefined && isRequired) {
    throw missingParameter("Missing 'password'");
  }
  if (password && password.length > maximumPassword) {
    throw new MatrixError(400, 'M_UNKNOWN', `Password is too long (max ${maximumPassword})`);
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

const generatedLocalpart = () =>
  `u${randomSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 12)}`;
