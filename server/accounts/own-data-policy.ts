/** What routes declare for data that users keep for themselves. */
import { forbidden } from '../core/matrix-error.ts';
import { longReplies, type UserPolicy, user } from '../http/policy.ts';

/** @param what such as `get tags` */
export const readingOwn = (what: string): UserPolicy => ({
  ...user,
  self: { parameter: 'userId', refusal: () => forbidden(`Cannot ${what} for other users.`) },
  atOnce: longReplies,
});

/** @param what such as `add tags` */
export const changingOwn = (what: string): UserPolicy => ({
  ...readingOwn(what),
  limits: [{ of: 'accountData', by: 'user' }],
  atOnce: {
    name: 'own data',
    calls: 2,
    // As many as may be made in one go.
    waiting: 100,
    refusal: 'Too many concurrent account data changes',
  },
});
