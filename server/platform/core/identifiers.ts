/** User IDs, room IDs and aliases. Matrix specification, appendices, "Identifier Grammar". */
import { createHash, randomInt } from 'node:crypto';
import { invalidParameter, MatrixError } from './matrix-error.ts';

/** Maximum length of an ID, event type or state key, in bytes. Matrix specification, "Size limits". */
export const maximumKeyBytes = 255;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const newRoomId = (serverName: string) =>
  `!${Array.from({ length: 18 }, () => letters[randomInt(letters.length)]).join('')}:${serverName}`;

/** Returns the same room ID for the same text. */
export function roomIdOf(text: string, serverName: string): string {
  const digest = createHash('sha256').update(text).digest();
  return `!${Array.from(digest.subarray(0, 18), (byte) => letters[byte % letters.length]).join('')}:${serverName}`;
}

/** Returns the server name of an ID. */
export const serverOf = (identifier: string) => identifier.slice(identifier.indexOf(':') + 1);

/** Returns the local part of an ID, without its sigil. */
export const localpartOf = (identifier: string) => identifier.slice(1, identifier.indexOf(':'));

export const isUserId = (text: string) => /^@[^:]*:.+$/s.test(text);
/** From room version 12 on, it's a hash without a server name. */
export const isRoomId = (text: string) => /^!([^:]+:.+|[\w-]{43})$/s.test(text);
export const isRoomAlias = (text: string) => /^#[^:]+:.+$/s.test(text);

/** @throws MatrixError 400 `M_INVALID_PARAM` */
export function requireUserId(text: string): string {
  if (!text.startsWith('@')) throw invalidParameter("Expected UserID string to start with '@'");
  if (!isUserId(text)) throw invalidParameter(`'${text}' is not a user ID`);
  return text;
}

/** @throws MatrixError 400 */
export function requireRoomId(text: string): string {
  if (!isRoomId(text)) throw new MatrixError(400, 'M_UNKNOWN', `${text} is not a legal room ID`);
  return text;
}

/** Returns a valid alias on this server. @throws MatrixError 400 */
export function newRoomAlias(localpart: string, serverName: string): string {
  if (localpart.includes(':')) {
    throw new MatrixError(
      400,
      'M_UNKNOWN',
      "':' is not permitted in the room alias name. Give its local part: 'wombat', not '#wombat:example.com'.",
    );
  }
  if (/[\s\0]/.test(localpart)) throw new MatrixError(400, 'M_UNKNOWN', 'Invalid characters in room alias');
  const alias = `#${localpart}:${serverName}`;
  if (Buffer.byteLength(alias) > maximumKeyBytes) {
    throw invalidParameter(`Can't create aliases longer than ${maximumKeyBytes} characters`);
  }
  return alias;
}

const invalidUsername = (sentence: string) => new MatrixError(400, 'M_INVALID_USERNAME', sentence);

/**
 * Returns a valid user ID on this server.
 *
 * @param reserved allows names of digits and names that begin with an underscore, which application services may use
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

/** Returns the user ID for a login's user, which is a local part or a user ID. */
export function asUserId(user: string, serverName: string): string {
  return user.startsWith('@') ? user : `@${user}:${serverName}`;
}
