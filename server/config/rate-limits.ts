/** How often things may be done, by the names that administrators of this kind of server know. */
import { type Static, Type } from 'typebox';
import { type PartOf, section } from './section.ts';

/** How often something may be done: a number at once, and then so many a second. */
export type RateLimit = { perSecond: number; burstCount: number };

/** A limit as it is written; either part may be left out. */
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

/**
 * Generous to a person or a test script, and a wall to whoever tries passwords: failed logins are what
 * counts slowly.
 */
export const rateLimits = section(
  {
    rc_login: Type.Object(
      {
        address: limit(1, 50, 'logins from one address'),
        account: limit(0.5, 20, 'logins to one account'),
        failed_attempts: limit(0.17, 5, 'failed logins to one account'),
      },
      { default: {}, additionalProperties: false },
    ),
    rc_registration: limit(0.17, 10, 'registrations from one address'),
    rc_message: limit(20, 100, 'events that one user sends'),
    rc_reports: limit(1, 10, 'reports that one user files'),
  },
  (settings) => ({
    rateLimits: {
      loginAddress: asLimit(settings.rc_login.address),
      loginAccount: asLimit(settings.rc_login.account),
      loginFailures: asLimit(settings.rc_login.failed_attempts),
      registration: asLimit(settings.rc_registration),
      message: asLimit(settings.rc_message),
      reports: asLimit(settings.rc_reports),
    },
  }),
);

export type RateLimits = PartOf<typeof rateLimits>['rateLimits'];
