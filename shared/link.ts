/**
 * Links into the app, `gatehouse://example.org/report/12`. They come from anywhere: what one says is read strictly,
 * and all that it can do is to have something shown.
 */
import { type Static, Type } from 'typebox';

const Filed = Type.Enum(['user', 'room']);

export const Shown = Type.Union([
  Type.Object({ kind: Type.Literal('report'), id: Type.Integer({ minimum: 1 }) }),
  Type.Object({ kind: Type.Literal('user'), userId: Type.String() }),
  Type.Object({ kind: Type.Literal('room'), roomId: Type.String() }),
  /** A report on a whole user or room, and all of them. */
  Type.Object({ kind: Type.Literal('filed-report'), of: Filed, id: Type.Integer({ minimum: 1 }) }),
  Type.Object({ kind: Type.Literal('filed-reports'), of: Filed }),
  /** The reports that nobody has reviewed. */
  Type.Object({ kind: Type.Literal('queue') }),
  /** All that waits, of whichever kind. */
  Type.Object({ kind: Type.Literal('home') }),
]);
export type Shown = Static<typeof Shown>;

/** What a link can lead to. */
export type Linked = Extract<Shown, { kind: 'report' | 'user' | 'room' }>;

export const linkScheme = 'gatehouse';

/** The link among what a program is started with: the last one, whatever is right with it. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.findLast((argument) => argument.toLowerCase().startsWith(`${linkScheme}:`));

const longestLink = 1024;
const longestIdentifier = 255;

/** A name or an address as servers have it, with or without a port. */
const host = String.raw`(?:[a-z0-9](?:[a-z0-9.-]{0,228}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?`;
const link = new RegExp(`^${linkScheme}://(${host})/(report|user|room)/([^/?#\\s]+)/?$`, 'i');

const reportId = /^[1-9]\d{0,14}$/;
const userId = new RegExp(`^@[!-9;-~]+:${host}$`, 'i');
/** Of newer versions a room's identifier names no server. */
const roomId = new RegExp(`^![!-9;-~]+(?::${host})?$`, 'i');

export function linkTo(server: string, shown: Linked): string {
  const identifier =
    shown.kind === 'report' ? String(shown.id) : shown.kind === 'user' ? shown.userId : shown.roomId;
  return `${linkScheme}://${server}/${shown.kind}/${encodeURIComponent(identifier)}`;
}

/** Which server a link names, in small letters, and what is to be shown of it; undefined for anything else. */
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

/** Empty for what can't be decoded, which is nobody's identifier. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
