/** Rate limits, with Synapse's names. */
import { type Static, Type } from 'typebox';
import { type PartOf, section } from './section.ts';

/** A token bucket. */
export type RateLimit = { perSecond: number; burstCount: number };

/** Both parts are optional. */
const limit = (perSecond: number, burstCount: number, description: string) =>
  Type.Object(
    {
      per_second: Type.Number({ exclusiveMinimum: 0, default: perSecond }),
      burst_count: Type.Integer({ minimum: 1, default: burstCount }),
    },
    { default: {}, additionalProperties: false, description },
  );

const asLimit = ({ per_second, burst_count }: Static<ReturnType<typeof limit>>): RateLimit => ({
  perSecond: per_second,
  burstCount: burst_count,
});

const times = ({ perSecond, burstCount }: RateLimit, factor: number): RateLimit => ({
  perSecond,
  burstCount: burstCount * factor,
});

/** Burst of failed logins per account from all networks together, as a multiple of one network's. */
const networksPerAccount = 10;

/** Generous for users and scripts, except for failed logins: they limit password guessing. */
export const rateLimits = section(
  {
    rc_login: Type.Object(
      {
        address: limit(1, 50, 'Logins from one IP address (IPv6: one /64)'),
        account: limit(0.5, 20, 'Logins to one account'),
        failed_attempts: limit(
          0.17,
          5,
          `Failed logins to one account from one address. The burst for all addresses together is ${networksPerAccount} times as large and doesn't count addresses where the account was used in the last four weeks`,
        ),
      },
      { default: {}, additionalProperties: false },
    ),
    rc_registration: limit(0.17, 10, 'Registrations from one IP address'),
    rc_message: limit(20, 100, 'Events sent by one user'),
    rc_reports: limit(1, 10, 'Reports filed by one user'),
    rc_joins: Type.Object(
      { local: limit(1, 50, 'Joins and knocks by one user') },
      // Allows Synapse's limit for remote rooms.
      { default: {}, additionalProperties: true },
    ),
    rc_invites: Type.Object(
      {
        per_room: limit(1, 100, 'Invites to one room'),
        per_user: limit(0.1, 50, 'Invites received by one user'),
        per_issuer: limit(1, 100, 'Invites sent by one user'),
      },
      { default: {}, additionalProperties: false },
    ),
    rc_room_creation: limit(0.2, 50, 'Rooms created by one user'),
    rc_media_create: limit(10, 100, 'Uploads and upload URLs of one user'),
    rc_profile_changes: limit(0.2, 20, 'Display name and avatar changes by one user'),
    rc_presence: Type.Object(
      { per_user: limit(0.1, 10, 'Presence updates by one user') },
      { default: {}, additionalProperties: false },
    ),
    rc_key_requests: limit(20, 100, 'Key requests from one device to other users; more are dropped'),
    rc_account_data: limit(10, 100, 'Account data and tag changes by one user'),
  },
  (settings) => ({
    rateLimits: {
      loginAddress: asLimit(settings.rc_login.address),
      loginAccount: asLimit(settings.rc_login.account),
      loginFailures: asLimit(settings.rc_login.failed_attempts),
      loginFailuresAnywhere: times(asLimit(settings.rc_login.failed_attempts), networksPerAccount),
      registration: asLimit(settings.rc_registration),
      message: asLimit(settings.rc_message),
      reports: asLimit(settings.rc_reports),
      joins: asLimit(settings.rc_joins.local),
      invitesPerRoom: asLimit(settings.rc_invites.per_room),
      invitesPerUser: asLimit(settings.rc_invites.per_user),
      invitesPerIssuer: asLimit(settings.rc_invites.per_issuer),
      roomCreation: asLimit(settings.rc_room_creation),
      mediaCreation: asLimit(settings.rc_media_create),
      profileChanges: asLimit(settings.rc_profile_changes),
      presence: asLimit(settings.rc_presence.per_user),
      keyRequests: asLimit(settings.rc_key_requests),
      accountData: asLimit(settings.rc_account_data),
      // Per network and not configurable. High, because many users with expired sessions may share an address.
      wrongTokens: { perSecond: 10, burstCount: 1_500 },
    },
  }),
);

const unlimited = { per_second: 1e6, burst_count: 1e6 };

/** Settings that no client reaches, for each rate limit that isn't among these settings. */
export function withoutRateLimits(written: Record<string, unknown>): Record<string, unknown> {
  const missing = Object.entries(rateLimits.settings).filter(([name]) => !Object.hasOwn(written, name));
  return Object.fromEntries(
    missing.map(([name, { properties }]) => [
      name,
      'per_second' in properties
        ? unlimited
        : Object.fromEntries(Object.keys(properties).map((part) => [part, unlimited])),
    ]),
  );
}

export type RateLimits = PartOf<typeof rateLimits>['rateLimits'];
