import { getProtocol, getProtocols, getProtocolThings, getThings } from '../../shared/api/app-services.ts';
import { notFound } from '../core/matrix-error.ts';
import { type UserPolicy, userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { describeProtocols, findThirdParty, type ThirdPartyContext } from './third-party.ts';

/** Services may take their time to answer. */
const policy: UserPolicy = {
  ...userOrGuest,
  concurrency: { name: 'networks', perUser: 10, refusal: 'Too many concurrent third-party lookups' },
};

export const thirdPartyRoutes: Routes<ThirdPartyContext> = (app, context) => {
  const config = { policy };

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
