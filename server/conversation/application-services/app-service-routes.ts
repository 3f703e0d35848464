import {
  getProtocol,
  getProtocols,
  getProtocolThings,
  getThings,
  postPing,
} from '../../../shared/api/server.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { type UserPolicy, user, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { callAppService } from './app-service-request.ts';
import { describeProtocols, findThirdParty, type ThirdPartyContext } from './third-party.ts';

/** Under …/client/v1. Matrix specification, application service API, "Pinging". */
export const appServicePingRoutes: Routes<ThirdPartyContext & { clock: Clock }> = (app, context) => {
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

const thirdPartyPolicy: UserPolicy = {
  ...userOrGuest,
  concurrency: { name: 'networks', perUser: 10, refusal: 'Too many concurrent third-party lookups' },
};

export const thirdPartyRoutes: Routes<ThirdPartyContext> = (app, context) => {
  const config = { policy: thirdPartyPolicy };

  app.get('/thirdparty/protocols', { schema: getProtocols, config }, () => describeProtocols(context));

  app.get('/thirdparty/protocol/:protocol', { schema: getProtocol, config }, async ({ params }) => {
    const found = new Map(Object.entries(await describeProtocols(context, params.protocol)));
    const protocol = found.get(params.protocol);
    if (!protocol) throw notFound('Unknown protocol');
    return protocol;
  });

  for (const kind of ['location', 'user'] as const) {
    app.get(
      `/thirdparty/${kind}/:protocol`,
      { schema: getProtocolThings, config },
      async ({ params: { protocol }, query }) => {
        const path = `${kind}/${encodeURIComponent(protocol)}`;
        return findThirdParty(context, path, query as Record<string, string>, protocol);
      },
    );

    app.get(`/thirdparty/${kind}`, { schema: getThings, config }, async ({ query }) =>
      findThirdParty(context, kind, query as Record<string, string>),
    );
  }
};
