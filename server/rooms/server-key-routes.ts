import { getServerKeys } from '../../shared/api/server.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { anyone } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { type SigningKey, signJson } from './signing-key.ts';

/** How long others may rely on the keys without asking again, in milliseconds. */
const validity = 24 * 60 * 60 * 1000;

/** The key that events are signed with; mounted under `…/key`. */
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
        valid_until_ts: clock.now() + validity,
      },
      config.serverName,
      signingKey,
    ),
  );
};
