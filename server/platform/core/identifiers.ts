/** Names of users, rooms and aliases. Matrix specification, appendices, "Identifier Grammar". */
import { randomInt } from 'node:crypto';
import { invalidParameter, MatrixError } from './matrix-error.ts';

/** The longest identifier, event type or state key, in bytes. Matrix specification, "Size limits". */
export const maximumKeyBytes = 255;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const newRoomId = (serverName: string) =>
  `!${Array.from({ length: 18 }, () => letters[randomInt(letters.length)]).join('')}:${serverName}`;

/** The server that an identifier belongs to: what stands after its first colon. */
export const serverOf = (identifier: string) => identifier.slice(identifier.indexOf(':') + 1);
/** The part of an identifier that stands between its first character and its server. */
export const localpartOf = (identifier: string) => identifier.slice(1, identifier.indexOf(':'));

export const isUserId = (text: string) => /^@[^:]*:.+$/s.test(text);
/** Newer rooms belong to no server: they are called by a hash. */
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

/**
 * The alias of a local part that someone wants to have on this server.
 *
 * @throws MatrixError 400
 */
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
