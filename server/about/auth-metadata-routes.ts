import { getAuthMetadata } from '../../shared/api/server.ts';
import { discoveryDocument } from '../accounts/external-discovery.ts';
import type { Config } from '../config/config.ts';
import { MatrixError, unrecognized } from '../core/matrix-error.ts';
import { anyone } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

/** Matrix specification 1.15, client-server API, "Server metadata discovery". */
export const authMetadataRoutes: Routes<{ config: Config }> = (app, { config }) => {
  app.get('/auth_metadata', { schema: getAuthMetadata, config: { policy: anyone } }, async () => {
    if (!config.externalAuthentication) throw unrecognized();
    const document = await discoveryDocument(config.externalAuthentication);
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
