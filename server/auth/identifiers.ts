/** The rules for user names, and secrets made at random. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { MatrixError } from '../http/matrix-error.ts';

const invalidUsername = (sentence: string) => new MatrixError(400, 'M_INVALID_USERNAME', sentence);

/**
 * The user identifier of a local part that someone wants to have on this server. Names that begin with an
 * underscore and names of digits are reserved: application services may have them.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`
 */
export function newUserId(localpart: string, serverName: string, { reserved = false } = {}): string {
  if (localpart === '') throw invalidUsername('User ID cannot be empty');
  if (!/^[a-z0-9=_\-./+]+$/.test(localpart)) {
    throw invalidUsername("User ID can only contain characters a-z, 0-9, or '=_-./+'");
  }
  if (localpart.startsWith('_') && !reserved) throw invalidUsername('User ID may not begin with _');
  if (/^\d+$/.test(localpart) && !reserved)
    throw invalidUsername('Numeric user IDs are reserved for guest users.');
  const userId = `@${localpart}:${serverName}`;
  if (userId.length > 255) throw invalidUsername('User ID may not be longer than 255 characters');
  return userId;
}

/** What a login means by a user: a local part or a whole identifier. */
export function asUserId(user: string, serverName: string): string {
  return user.startsWith('@') ? user : `@${user}:${serverName}`;
}

/** A secret that nobody guesses: 256 bits in unpadded base64url. */
export const randomSecret = () => randomBytes(32).toString('base64url');

/** Ten capital letters, as the reference homeserver names devices. */
export const randomDeviceId = () =>
  String.fromCharCode(...Array.from({ length: 10 }, () => 65 + randomInt(26)));

/** How tokens are stored and looked up. They are random, so a plain digest gives nothing away. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('base64url');
