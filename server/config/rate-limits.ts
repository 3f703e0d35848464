import { type Static, Type } from 'typebox';
import type { RateLimit, RateLimits } from './config.ts';
import type { Settings } from './settings.ts';

/** A limit as it is written; either part may be left out. */
export const RateLimitSetting = Type.Object(
  {
    per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    burst_count: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

/**
 * Generous to a person or a test script, and a wall to whoever tries passwords: failed logins are what
 * counts slowly.
 */
const defaults: Omit<RateLimits, 'loginFailuresAnywhere'> = {
  loginAddress: { perSecond: 1, burstCount: 50 },
  loginAccount: { perSecond: 0.5, burstCount: 20 },
  loginFailures: { perSecond: 0.17, burstCount: 5 },
  registration: { perSecond: 0.17, burstCount: 10 },
  message: { perSecond: 20, burstCount: 100 },
  reports: { perSecond: 1, burstCount: 10 },
  joins: { perSecond: 1, burstCount: 50 },
  invitesPerRoom: { perSecond: 1, burstCount: 100 },
  invitesPerUser: { perSecond: 0.1, burstCount: 50 },
  invitesPerIssuer: { perSecond: 1, burstCount: 100 },
  roomCreation: { perSecond: 0.2, burstCount: 50 },
  mediaCreation: { perSecond: 10, burstCount: 100 },
  profileChanges: { perSecond: 0.2, burstCount: 20 },
  accountData: { perSecond: 10, burstCount: 100 },
};

/** From so many networks together somebody may guess at once as from one; then they have to share its pace. */
const networksPerAccount = 10;

/** How often things may be done, by the names that administrators of this kind of server know. */
export function rateLimits(settings: Settings): RateLimits {
  const { rc_login: login = {}, rc_invites: invites = {} } = settings;
  const loginFailures = limit(login.failed_attempts, defaults.loginFailures);
  return {
    loginAddress: limit(login.address, defaults.loginAddress),
    loginAccount: limit(login.account, defaults.loginAccount),
    loginFailures,
    loginFailuresAnywhere: { ...loginFailures, burstCount: loginFailures.burstCount * networksPerAccount },
    registration: limit(settings.rc_registration, defaults.registration),
    message: limit(settings.rc_message, defaults.message),
    reports: limit(settings.rc_reports, defaults.reports),
    joins: limit(settings.rc_joins?.local, defaults.joins),
    invitesPerRoom: limit(invites.per_room, defaults.invitesPerRoom),
    invitesPerUser: limit(invites.per_user, defaults.invitesPerUser),
    invitesPerIssuer: limit(invites.per_issuer, defaults.invitesPerIssuer),
    roomCreation: limit(settings.rc_room_creation, defaults.roomCreation),
    mediaCreation: limit(settings.rc_media_create, defaults.mediaCreation),
    profileChanges: limit(settings.rc_profile_changes, defaults.profileChanges),
    accountData: limit(settings.rc_account_data, defaults.accountData),
  };
}

const limit = (setting: Static<typeof RateLimitSetting> | undefined, fallback: RateLimit): RateLimit => ({
  perSecond: setting?.per_second ?? fallback.perSecond,
  burstCount: setting?.burst_count ?? fallback.burstCount,
});
