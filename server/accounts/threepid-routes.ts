import { getThreepids, postThreepidUnbind, refusedThreepid } from '../../shared/api/threepids.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { anyone, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { listThreepids } from './identity-store.ts';

/**
 * Email addresses and telephone numbers are lists that administrators keep: this server sends no mail and works with
 * no identity server, and says so.
 */
export const threepidRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/account/3pid', { schema: getThreepids, config: { policy: user } }, async ({ requester }) => ({
    threepids: (await listThreepids(db, requester.userId)).map((threepid) => ({
      medium: threepid.medium,
      address: threepid.address,
      validated_at: threepid.validatedTs,
      added_at: threepid.addedTs,
    })),
  }));

  app.post('/account/3pid/unbind', { schema: postThreepidUnbind, config: { policy: user } }, async () => ({
    id_server_unbind_result: 'no-support',
  }));

  app.post('/account/3pid/delete', { schema: refusedThreepid, config: { policy: user } }, async () => {
    throw forbidden('3PID changes are disabled on this server');
  });

  for (const [path, policy, errcode, sentence] of refusals) {
    app.post(path, { schema: refusedThreepid, config: { policy } }, async () => {
      throw new MatrixError(400, errcode, sentence);
    });
  }
};

const refusals = [
  ['/account/3pid', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/add', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/bind', user, 'M_UNKNOWN', 'This server works with no identity server'],
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
