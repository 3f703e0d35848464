/**
 * Links into the app, such as `gatehouse://example.org/report/12`. Untrusted: they are parsed strictly, and only open a
 * view.
 */
import { type Static, Type } from 'typebox';

const Filed = Type.Enum(['user', 'room']);

export const LinkTarget = Type.Union([
  Type.Object({ kind: Type.Literal('report'), id: Type.Integer({ minimum: 1 }) }),
  Type.Object({ kind: Type.Literal('user'), userId: Type.String() }),
  Type.Object({ kind: Type.Literal('room'), roomId: Type.String() }),
  /** A user or room report, and the list of them. */
  Type.Object({ kind: Type.Literal('filed-report'), of: Filed, id: Type.Integer({ minimum: 1 }) }),
  Type.Object({ kind: Type.Literal('filed-reports'), of: Filed }),
  /** Open reports. */
  Type.Object({ kind: Type.Literal('queue') }),
  /** Home, with reports of all kinds. */
  Type.Object({ kind: Type.Literal('home') }),
]);
export type LinkTarget = Static<typeof LinkTarget>;

/** Views that a link can open. */
export type Linked = Extract<LinkTarget, { kind: 'report' | 'user' | 'room' }>;

export const linkScheme = 'gatehouse';

/** Returns the last link among a program's arguments, valid or not. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.findLast((argument) => argument.toLowerCase().startsWith(`${linkScheme}:`));

const longestLink = 1024;
const longestIdentifier = 255;

/** A host name or IP address, optionally with a port. */
const host = String.raw`(?:[a-z0-9](?:[a-z0-9.-]{0,228}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?`;
const link = new RegExp(`^${linkScheme}://(${host})/(report|user|room)/([^/?#\\s]+)/?$`, 'i');

const reportId = /^[1-9]\d{0,14}$/;
const userId = new RegExp(`^@[!-9;-~]+:${host}$`, 'i');
/** Room IDs of newer room versions have no server. */
const roomId = new RegExp(`^![!-9;-~]+(?::${host})?$`, 'i');

export function linkTo(server: string, shown: Linked): string {
  const identifier =
    shown.kind === 'report' ? String(shown.id) : shown.kind === 'user' ? shown.userId : shown.roomId;
  return `${linkScheme}://${server}/${shown.kind}/${encodeURIComponent(identifier)}`;
}

/** Parses a link: the server, in lower case, and the view; undefined if invalid. */
export function readLink(text: string): { server: string; shown: Linked } | undefined {
  if (text.length > longestLink) return undefined;
  const [, server, kind, encoded] = link.exec(text) ?? [];
  if (server === undefined || kind === undefined || encoded === undefined) return undefined;
  const shown = shownOf(kind.toLowerCase(), decoded(encoded));
  return shown && { server: server.toLowerCase(), shown };
}

function shownOf(kind: string, identifier: string): Linked | undefined {
  if (identifier.length > longestIdentifier) return undefined;
  if (kind === 'report') {
    return reportId.test(identifier) ? { kind, id: Number(identifier) } : undefined;
  }
  if (kind === 'user') return userId.test(identifier) ? { kind, userId: identifier } : undefined;
  return roomId.test(identifier) ? { kind: 'room', roomId: identifier } : undefined;
}

/** Empty if it can't be decoded. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
