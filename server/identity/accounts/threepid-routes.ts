/** Addresses that people give away. Matrix specification, "Adding Account Administrative Contact Information". */

import { getThreepids, postOwnThreepid, refusedThreepid } from '../../../shared/api/account.ts';
import type { Config } from '../../platform/config/config.ts';
import { forbidden, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { anyone, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deleteThreepid, listThreepids } from './identity-store.ts';

type ThreepidContext = { db: Database; config: Pick<Config, 'externalAuthentication'> };

/**
 * Email addresses and telephone numbers are lists that administrators keep, and whose they are may take them away:
 * this server sends no mail and works with no identity server, and says so.
 */
export const threepidRoutes: Routes<ThreepidContext> = (app, context) => {
  app.get('/account/3pid', { schema: getThreepids, config: { policy: user } }, async ({ requester }) => ({
    threepids: (await listThreepids(context.db, requester.userId)).map((threepid) => ({
      medium: threepid.medium,
      address: threepid.address,
      validated_at: threepid.validatedTs,
      added_at: threepid.addedTs,
    })),
  }));

  app.post(
    '/account/3pid/unbind',
    { schema: postOwnThreepid, config: { policy: user } },
    async () => unbound,
  );

  app.post(
    '/account/3pid/delete',
    { schema: postOwnThreepid, config: { policy: user } },
    async ({ body, requester }) => {
      if (context.config.externalAuthentication) throw forbidden('3PID changes are disabled on this server');
      await deleteThreepid(context.db, requester.userId, body);
      return unbound;
    },
  );

  for (const [path, policy, errcode, sentence] of refusals) {
    app.post(path, { schema: refusedThreepid, config: { policy } }, async () => {
      throw new MatrixError(400, errcode, sentence);
    });
  }
};

/** Nothing is bound at any identity server. */
const unbound = { id_server_unbind_result: 'no-support' };

const refusals = [
  ['/account/3pid', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/add', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/bind', user, 'M_UNKNOWN', "This server doesn't use identity servers"],
  [
    '/account/3pid/email/requestToken',
    anyone,
    'M_THREEPID_MEDIUM_NOT_SUPPORTED',
    'Adding an email to your account is disabled on this server',
  ],
  [
    '/account/3pid/msisdn/requestToken',
    anyone,
    'M_THREEPID_MEDIUM_NOT_SUPPORTED',
    'Adding phone numbers to user account is not supported by this homeserver',
  ],
  [
    '/account/password/email/requestToken',
    anyone,
    'M_UNKNOWN',
    'Email-based password resets have been disabled on this server',
  ],
  [
    '/account/password/msisdn/requestToken',
    anyone,
    'M_UNKNOWN',
    'Password resets by phone number are not supported on this homeserver',
  ],
  [
    '/register/email/requestToken',
    anyone,
    'M_UNKNOWN',
    'Email-based registration has been disabled on this server',
  ],
  [
    '/register/msisdn/requestToken',
    anyone,
    'M_UNKNOWN',
    'Registration by phone number is not supported on this homeserver',
  ],
] as const;
