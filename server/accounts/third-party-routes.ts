import {
  findThirdParties,
  findThirdPartiesOf,
  getProtocol,
  getProtocols,
  getThirdPartyIds,
  getTurnServer,
  postThirdPartyId,
} from '../../shared/api/third-party.ts';
import { MatrixError, notFound, unknownError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { anyone, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { listThreepids } from './identity-store.ts';

const config = { policy: user };
const unsupported = (sentence: string) => new MatrixError(400, 'M_THREEPID_MEDIUM_NOT_SUPPORTED', sentence);

/** Addresses: administrators may keep some for users, and nothing else can be done with them. */
export const thirdPartyIdRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/account/3pid', { schema: getThirdPartyIds, config }, async ({ requester }) => ({
    threepids: (await listThreepids(db, requester.userId)).map(
      ({ medium, address, validatedTs, addedTs }) => ({
        ...{ medium, address, validated_at: validatedTs, added_at: addedTs },
      }),
    ),
  }));

  const noAddresses = unsupported('Addresses cannot be added to accounts on this server');
  const noIdentityServer = unknownError('This server works with no identity server');
  for (const [path, refusal] of [
    ['/account/3pid', noAddresses],
    ['/account/3pid/add', noAddresses],
    ['/account/3pid/bind', noIdentityServer],
    ['/account/3pid/unbind', noIdentityServer],
    ['/account/3pid/delete', unknownError('Only an administrator can remove addresses on this server')],
  ] as const) {
    app.post(path, { schema: postThirdPartyId, config }, async () => {
      throw refusal;
    });
  }
  for (const [path, refusal] of [
    ['/account/3pid/email/requestToken', noAddresses],
    ['/account/3pid/msisdn/requestToken', noAddresses],
    [
      '/account/password/email/requestToken',
      unknownError('Email-based password resets have been disabled on this server'),
    ],
    [
      '/account/password/msisdn/requestToken',
      unknownError('Passwords cannot be reset by telephone on this server'),
    ],
    [
      '/register/email/requestToken',
      unknownError('Email-based registration has been disabled on this server'),
    ],
    [
      '/register/msisdn/requestToken',
      unknownError('Registration by phone number is not supported on this homeserver'),
    ],
  ] as const) {
    app.post(path, { schema: postThirdPartyId, config: { policy: anyone } }, async () => {
      throw refusal;
    });
  }
};

/** Other networks: nobody bridges to any by these. */
export const thirdPartyNetworkRoutes: Routes<unknown> = (app) => {
  app.get('/thirdparty/protocols', { schema: getProtocols, config }, () => ({}));
  app.get('/thirdparty/protocol/:protocol', { schema: getProtocol, config }, () => {
    throw notFound('Unknown protocol');
  });
  for (const of of ['user', 'location']) {
    app.get(`/thirdparty/${of}`, { schema: findThirdParties, config }, () => []);
    app.get(`/thirdparty/${of}/:protocol`, { schema: findThirdPartiesOf, config }, () => []);
  }
};

/** Calls go from one client to the other: there is no server between them. */
export const turnServerRoutes: Routes<unknown> = (app) => {
  app.get('/voip/turnServer', { schema: getTurnServer, config }, () => ({}));
};
