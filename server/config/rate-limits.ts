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
const defaults: RateLimits = {
  loginAddress: { perSecond: 1, burstCount: 50 },
  loginAccount: { perSecond: 0.5, burstCount: 20 },
  loginFailures: { perSecond: 0.17, burstCount: 5 },
  registration: { perSecond: 0.17, burstCount: 10 },
  message: { perSecond: 20, burstCount: 100 },
  reports: { perSecond: 1, burstCount: 10 },
};

/** How often things may be done, by the names that administrators of this kind of server know. */
export function rateLimits(settings: Settings): RateLimits {
  const { rc_login: login = {} } = settings;
  return {
    loginAddress: limit(login.address, defaults.loginAddress),
    loginAccount: limit(login.account, defaults.loginAccount),
    loginFailures: limit(login.failed_attempts, defaults.loginFailures),
    registration: limit(settings.rc_registration, defaults.registration),
    message: limit(settings.rc_message, defaults.message),
    reports: limit(settings.rc_reports, defaults.reports),
  };
}

const limit = (setting: Static<typeof RateLimitSetting> | undefined, fallback: RateLimit): RateLimit => ({
  perSecond: setting?.per_second ?? fallback.perSecond,
  burstCount: setting?.burst_count ?? fallback.burstCount,
});
