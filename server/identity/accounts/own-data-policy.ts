/** Policies of routes for a user's own account data. */
import { forbidden } from '../../platform/core/matrix-error.ts';
import { longReplies, type UserPolicy, user } from '../../platform/http/policy.ts';

/** @param what activity, such as `get tags` */
export const readingOwn = (what: string): UserPolicy => ({
  ...user,
  self: { parameter: 'userId', refusal: () => forbidden(`Cannot ${what} for other users.`) },
  concurrency: longReplies,
});

/** @param what activity, such as `add tags` */
export const changingOwn = (what: string): UserPolicy => ({
  ...readingOwn(what),
  limits: [{ of: 'accountData', by: 'user' }],
  concurrency: {
    name: 'own data',
    perUser: 2,
    // The rate limit restricts their number; temporary servers have none.
    queuedPerUser: 1_000,
    refusal: 'Too many concurrent account data changes',
  },
});
