/** People who register, in one request or in several of one interactive authentication. */
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
import { completeRegistration } from './registration-token-store.ts';
import { registrationTokenStage } from './registration-tokens.ts';

/**
 * Registers a person who has passed every stage.
 *
 * @param network what the address counts as
 * @throws MatrixError 401 that lists the stages, 400, 403
 */
export async function registerPerson(
  context: RegistrationContext,
  request: RegisterRequest,
  network: string,
): Promise<Registration> {
  requireOpenRegistration(context);
  const { interactiveSessions } = context;
  const { auth } = request;
  const before = await interactiveSessions.recall(auth?.session);
  const said: Said = { ...before.said, ...saidIn(request) };
  const device = requireDevice(said);
  const given = said.username?.toLowerCase();
  let localpart = given ?? generatedLocalpart();
  if (before.result === undefined) {
    await unlessMade(context, auth?.session, async () => {
      if (request.guest_access_token !== undefined) {
        said.guest = await requireGuest(context.db, request.guest_access_token);
      }
      if (said.guest === undefined) return requireFreeUsername(context, localpart);
      localpart = localpartOf(said.guest);
      if (given !== undefined && given !== localpart) throw takenName();
    });
    requirePassword(said, { isLast: auth !== undefined });
  }
  const userId = await interactiveSessions.authenticate(
    { auth, operation: 'register', stages: stagesOf(context), keep: () => asKept(said, network) },
    async (session) => {
      const made = session.result ?? (await registerOnce(context, { ...said, localpart, network }, session));
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
type Said = Pick<RegisterRequest, (typeof saidNames)[number]> & {
  /** In place of a password that an earlier request gave. */
  passwordHash?: string;
  /** The guest who is to become a user of the same name. */
  guest?: string;
};

const takenName = () =>
  forbidden('Cannot register taken user ID without valid guest credentials for that user.');

const saidNames = [
  ...(['username', 'password', 'device_id', 'initial_device_display_name'] as const),
  ...(['refresh_token', 'inhibit_login'] as const),
];

/** What a request leaves out takes back nothing that an earlier one said; nor does an empty password say anything. */
function saidIn(request: RegisterRequest): Said {
  const given = saidNames.filter(
    (name) => request[name] !== undefined && !(name === 'password' && !request[name]),
  );
  return Object.fromEntries(given.map((name) => [name, request[name]]));
}

async function asKept({ password, ...said }: Said, network: string): Promise<JsonObject> {
  return password === undefined ? said : { ...said, passwordHash: await hashPassword(network, password) };
}

/** Makes the user of a session; whoever repeats the last step meanwhile gets the same one. */
async function registerOnce(
  context: RegistrationContext,
  { localpart, network, password, passwordHash, guest }: Said & { localpart: string; network: string },
  { id, registrationToken }: InteractiveSession,
): Promise<string> {
  const account = {
    localpart,
    ...(password === undefined ? { passwordHash } : { password, asker: network }),
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
  const make = async () => {
    if (guest === undefined) return createUser(context, account, withUser);
    const hash = password === undefined ? (passwordHash ?? null) : await hashPassword(network, password);
    await inTransaction(context.db, async (tx) => {
      await upgradeGuest(tx, context, guest, hash);
      await withUser(tx);
    });
  };
  return (await unlessMade(context, id, make)) ?? userId;
}

/**
 * Does a part of a registration. Where another request of the same session has made its user meanwhile, that user is
 * given in place of what fails: the name is its own, and the guest is a guest no more.
 */
async function unlessMade(
  { interactiveSessions }: RegistrationContext,
  session: string | undefined,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const { result } = await interactiveSessions.recall(session);
    if (result === undefined) throw error;
    return result;
  }
}

/** The longest password, in characters, as at the reference homeserver. */
const maximumPassword = 512;

/** Whoever only asks for the stages need not give one yet. @throws MatrixError 400 */
function requirePassword({ password, passwordHash }: Said, { isLast }: { isLast: boolean }): void {
  if (password === undefined && passwordHash === undefined && isLast) {
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

/** A name for whoever did not ask for one. */
const generatedLocalpart = () =>
  `u${randomSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 12)}`;
