/** Tokens with which users show to others who they are. Matrix specification, client-server API, "OpenID". */

import { getOpenIdUser, postOpenIdToken } from '../../../shared/api/account.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden, MatrixError, unknownToken } from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { anyone, type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deleteExpiredOpenIdTokens, findOpenIdToken, insertOpenIdToken } from './openid-store.ts';
import { holdUser } from './user-store.ts';

type OpenidContext = { db: Database; clock: Clock };

/** How long one is good, in milliseconds. */
const openIdLifetime = 3_600_000;

/** Makes one, which says who the user is and lets nobody do anything. @throws MatrixError 403 for a deactivated user */
async function createOpenIdToken({ db, clock }: OpenidContext, userId: string): Promise<string> {
  const token = randomSecret();
  const now = clock.now();
  const hash = tokenHash(token);
  await inTransaction(db, async (tx) => {
    await holdUser(tx, userId);
    await deleteExpiredOpenIdTokens(tx, now);
    await insertOpenIdToken(tx, { hash, userId, expiresTs: now + openIdLifetime });
  });
  return token;
}

/** Whose token it is. @throws MatrixError 401 for one that is unknown or expired */
async function redeemOpenIdToken({ db, clock }: OpenidContext, token: string): Promise<string> {
  const found = await findOpenIdToken(db, tokenHash(token));
  if (!found || found.expiresTs <= clock.now()) throw unknownToken('Access Token unknown or expired');
  return found.userId;
}

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
