import { getOpenIdUser, postOpenIdToken } from '../../shared/api/openid.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { anyone, type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { createOpenIdToken, openIdLifetime, redeemOpenIdToken } from './openid.ts';

type Context = { db: Database; clock: Clock; config: Pick<Config, 'serverName'> };

const ownTokens: UserPolicy = {
  ...user,
  limits: [{ of: 'accountData', by: 'user' }],
  self: { parameter: 'userId', refusal: () => forbidden('Cannot request tokens for other users.') },
};

export const openIdRoutes: Routes<Context> = (app, context) => {
  app.post(
    '/user/:userId/openid/request_token',
    { schema: postOpenIdToken, config: { policy: ownTokens } },
    async ({ requester }) => ({
      access_token: await createOpenIdToken(context, requester.userId),
      token_type: 'Bearer',
      matrix_server_name: context.config.serverName,
      expires_in: openIdLifetime / 1000,
    }),
  );
};

/** Under …/federation: whoever was given such a token asks here whose it is. */
export const openIdUserRoutes: Routes<Context> = (app, context) => {
  app.get('/v1/openid/userinfo', { schema: getOpenIdUser, config: { policy: anyone } }, async ({ query }) => {
    if (!query.access_token) throw new MatrixError(401, 'M_MISSING_TOKEN', 'Access Token required');
    return { sub: await redeemOpenIdToken(context, query.access_token) };
  });
};
