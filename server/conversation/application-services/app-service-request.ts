/** Requests to application services. Matrix specification, application service API. */

import { postPing } from '../../../shared/api/server.ts';
import type { AppServices } from '../../identity/accounts/app-services.ts';
import type { AppServiceConfig } from '../../platform/config/app-services.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden, MatrixError } from '../../platform/core/matrix-error.ts';
import { type OutgoingReply, sendOutgoing } from '../../platform/http/outgoing.ts';
import { user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';

/** Milliseconds. */
const defaultTimeout = 60_000;

/**
 * Calls an application service. Its address comes from the configuration, so it may be in a private network.
 *
 * @param legacy whether to also send the token in the query, where old application services look for it
 * @throws if there is no response, or the service has no URL
 */
export function callAppService(
  { url, hsToken }: Pick<AppServiceConfig, 'url' | 'hsToken'>,
  request: { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string; timeoutMs?: number },
  { legacy, signal }: { legacy: boolean; signal: AbortSignal },
): Promise<OutgoingReply> {
  const address = new URL(`${url}${request.path}`);
  if (legacy) address.searchParams.set('access_token', hsToken);
  return sendOutgoing(address, {
    method: request.method,
    headers: { authorization: `Bearer ${hsToken}` },
    ...(request.body !== undefined && { body: request.body }),
    timeoutMs: request.timeoutMs ?? defaultTimeout,
    signal,
  });
}

type Context = {
  appServices: AppServices;
  clock: Clock;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
};

/** Under …/client/v1. Matrix specification, application service API, "Pinging". */
export const appServicePingRoutes: Routes<Context> = (app, context) => {
  const { appServices, clock, config, stopping } = context;

  app.post(
    '/appservice/:appServiceId/ping',
    { schema: postPing, config: { policy: user } },
    async ({ params, body, requester }) => {
      const service = appServices.all.find(({ id }) => id === requester.appServiceId);
      if (!service || service.id !== params.appServiceId) {
        throw forbidden('Only an application service can ping itself');
      }
      if (service.config.url === undefined) {
        throw new MatrixError(400, 'M_URL_NOT_SET', 'This application service has no URL');
      }
      const begun = clock.monotonic();
      const { status } = await callAppService(
        service.config,
        { method: 'POST', path: '/_matrix/app/v1/ping', body: JSON.stringify(body), timeoutMs: 10_000 },
        { legacy: config.useAppServiceLegacyAuthorization, signal: stopping.signal },
      ).catch((error: Error) => {
        if (error.name === 'TimeoutError') {
          throw new MatrixError(504, 'M_CONNECTION_TIMEOUT', 'The application service timed out');
        }
        throw new MatrixError(502, 'M_CONNECTION_FAILED', "Couldn't reach the application service");
      });
      if (status < 200 || status > 299) {
        throw new MatrixError(502, 'M_BAD_STATUS', `The application service responded with status ${status}`);
      }
      return { duration_ms: Math.round(clock.monotonic() - begun) };
    },
  );
};
