/** What routes declare for data that users keep for themselves. */
import { forbidden } from '../core/matrix-error.ts';
import { type UserPolicy, user } from '../http/policy.ts';

/** @param what such as `get tags` */
export const readingOwn = (what: string): UserPolicy => ({
  ...user,
  self: { parameter: 'userId', refusal: () => forbidden(`Cannot ${what} for other users.`) },
});

/** @param what such as `add tags` */
export const changingOwn = (what: string): UserPolicy => ({
  ...readingOwn(what),
  limits: [{ of: 'accountData', by: 'user' }],
});
