import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../../shared/api/common.ts';
import {
  getAuthMetadata,
  getClientWellKnown,
  getServerKeys,
  getTurnServer,
} from '../../../shared/api/server.ts';
import { type SigningKey, signJson } from '../../conversation/rooms/signing-key.ts';
import { discoveryDocument } from '../../identity/login/external-discovery.ts';
import type { Config } from '../../platform/config/config.ts';
import type { TurnConfig } from '../../platform/config/turn.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { anyone, user, userOrGuest } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';

/** Client discovery by server name. @param content undefined to reply 404 */
export function wellKnownRoutes(app: App, content: JsonObject | undefined | ''): void {
  app.get(
    '/.well-known/matrix/client',
    { schema: getClientWellKnown, config: { policy: anyone } },
    async () => {
      if (!content) throw notFound('.well-known not available');
      return content;
    },
  );
}

/** Matrix specification 1.15, client-server API, "Server metadata discovery". */
export const authMetadataRoutes: Routes<{ config: Config }> = (app, { config }) => {
  const { externalAuthentication } = config;
  if (!externalAuthentication) return;
  app.get('/auth_metadata', { schema: getAuthMetadata, config: { policy: anyone } }, async () => {
    const document = await discoveryDocument(externalAuthentication);
    if (document) return document;
    throw new MatrixError(
      503,
      'M_UNKNOWN',
      "Couldn't fetch the metadata of the authentication service. Try again later.",
      {
        retry_after_ms: 1_000,
      },
    );
  });
};

export const turnRoutes: Routes<{ config: { turn: TurnConfig }; clock: Clock }> = (
  app,
  { config, clock },
) => {
  const policy = config.turn?.allowsGuests === false ? user : userOrGuest;
  app.get('/voip/turnServer', { schema: getTurnServer, config: { policy } }, ({ requester }) =>
    config.turn ? credentialsFor(config.turn, requester.userId, clock.now()) : {},
  );
};

/**
 * With a shared secret, generates credentials: the user name contains the expiry, and the password is an HMAC of it.
 */
function credentialsFor(turn: NonNullable<TurnConfig>, userId: string, now: number) {
  const common = { uris: turn.uris, ttl: Math.floor(turn.lifetimeMs / 1000) };
  if ('username' in turn) return { ...common, username: turn.username, password: turn.password };
  const username = `${Math.floor((now + turn.lifetimeMs) / 1000)}:${userId}`;
  const password = createHmac('sha1', turn.sharedSecret).update(username).digest('base64');
  return { ...common, username, password };
}

/** Health check for monitoring and load balancers. */
export function healthRoutes(app: App): void {
  app.get('/health', { config: { policy: anyone } }, (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );
}

/** How long other servers may cache the keys, in milliseconds. */
const keyValidity = 24 * 60 * 60 * 1000;

/** Under …/key. Server-server API, "Publishing keys". */
export const serverKeyRoutes: Routes<{ config: Config; clock: Clock; signingKey: SigningKey }> = (
  app,
  { config, clock, signingKey },
) => {
  app.get('/v2/server', { schema: getServerKeys, config: { policy: anyone } }, async () =>
    signJson(
      {
        server_name: config.serverName,
        verify_keys: { [signingKey.keyId]: { key: signingKey.publicKey } },
        old_verify_keys: {},
        valid_until_ts: clock.now() + keyValidity,
      },
      config.serverName,
      signingKey,
    ),
  );
};
