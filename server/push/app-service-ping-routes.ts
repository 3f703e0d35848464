import { postPing } from '../../shared/api/app-services.ts';
import type { AppServices } from '../accounts/app-services.ts';
import type { Clock } from '../core/clock.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import { user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { callAppService } from './app-service-request.ts';

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
