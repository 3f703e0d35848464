/** Synapse's "Shared-Secret Registration". */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SharedSecretRegistration } from '../../../shared/api/registration.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { createSignedTokens } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type AccountContext, createUser } from '../accounts/create-user.ts';
import { type NewSession, openSession } from '../sessions/sessions.ts';
import { spendNonce } from './registration-store.ts';

const userTypes = ['bot', 'support'];

/** In milliseconds. */
const nonceLifetime = 60_000;

/**
 * Single-use nonces. A request for one needs no secret and therefore stores nothing: a nonce contains its expiry, and
 * only used ones are stored.
 *
 * @param secret shared by the processes of a server
 */
export function createNonces(db: Database, clock: Clock, secret: string) {
  const tokens = createSignedTokens(secret);
  return {
    issue: () => tokens.issue(clock.now() + nonceLifetime, ''),
    async take(nonce: string): Promise<boolean> {
      const claims = tokens.verify(nonce);
      const now = clock.now();
      if (!claims || now >= claims.expires) return false;
      return spendNonce(db, nonce, { expires: claims.expires, now });
    },
  };
}

export type Nonces = ReturnType<typeof createNonces>;

/**
 * Creates a user and logs it in.
 *
 * @param network of the client
 * @throws MatrixError 400 `M_UNKNOWN` without a configured secret or for a used nonce, 403 for a wrong HMAC
 */
export async function registerWithSharedSecret(
  context: AccountContext,
  nonces: Nonces,
  request: SharedSecretRegistration,
  network: string,
): Promise<NewSession> {
  const secret = configuredSecret(context);
  if (!(await nonces.take(request.nonce))) throw new MatrixError(400, 'M_UNKNOWN', 'unrecognised nonce');
  if (request.username.includes('\0') || request.password.includes('\0')) {
    throw new MatrixError(400, 'M_UNKNOWN', "User name and password can't contain NUL");
  }
  if (request.user_type !== undefined && !userTypes.includes(request.user_type)) {
    throw new MatrixError(400, 'M_UNKNOWN', 'Invalid user type');
  }
  const parts = [request.nonce, request.username, request.password, request.admin ? 'admin' : 'notadmin'];
  if (request.user_type !== undefined) parts.push(request.user_type);
  const expected = createHmac('sha1', secret).update(parts.join('\0')).digest();
  const given = Buffer.from(request.mac, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new MatrixError(403, 'M_UNKNOWN', 'HMAC incorrect');
  }
  const userId = await createUser(context, {
    localpart: request.username.toLowerCase(),
    password: request.password,
    limiterKey: network,
    admin: request.admin ?? false,
    ...(request.displayname === undefined ? {} : { displayName: request.displayname }),
    ...(request.user_type === undefined ? {} : { userType: request.user_type }),
  });
  return openSession(context, userId);
}

/** @throws MatrixError 400 if there is none */
export function configuredSecret({ config }: { config: Config }): string {
  const { sharedSecret } = config.registration;
  // With external authentication, users are created there.
  if (sharedSecret && !config.externalAuthentication) return sharedSecret;
  throw new MatrixError(400, 'M_UNKNOWN', 'Shared secret registration is not enabled');
}
