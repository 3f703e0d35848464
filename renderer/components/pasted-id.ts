/** What stands before an identifier where it is copied from: quotes, brackets, marks of direction. */
const before = /^[\s<("'`“”„«\u200b-\u200f\u2060-\u2069\ufeff]+/;
const after = /[>)"'`“”»,;\u200b-\u200f\u2060-\u2069\ufeff]+$/;
/** The same where it was no end of what somebody types still. */
const afterAll = /[\s>)"'`“”»,;.\u200b-\u200f\u2060-\u2069\ufeff]+$/;

/** A link to a user, a room or an event in one, as `matrix.to`, the addresses of chat clients and the desktop app have it. */
const link =
  /^(?:https?:\/\/(?:matrix\.to\/#|[^#\s]+#\/(?:user|room))|gatehouse:\/\/[^/\s]+\/(?:user|room))\/([^/?\s]+)/i;
/** The same by the scheme of its own: `matrix:u/alice:example.org`. */
const uri = /^matrix:(?:\/\/[^/\s]*\/)?(u|user|r|room|roomid)\/([^/?#\s]+)/i;
const sigils: Record<string, string> = { u: '@', user: '@', r: '#', room: '#', roomid: '!' };

/**
 * The identifier that somebody means who pasted it from elsewhere: a user's, a room's or its address, out of a link or
 * with what stood around it. Anything else is given back as it is.
 */
export function idIn(pasted: string): string {
  const begun = pasted.replace(before, '');
  const bare = begun.replace(begun === pasted ? after : afterAll, '');
  const [, linked] = link.exec(bare) ?? [];
  const [, kind = '', named] = uri.exec(bare) ?? [];
  const id =
    linked !== undefined
      ? decoded(linked)
      : named !== undefined
        ? `${sigils[kind.toLowerCase()]}${decoded(named)}`
        : bare;
  return /^(?:[@#][^\s:]+:\S+|!\S+)$/.test(id) ? id : pasted;
}

const eventLink = /^https?:\/\/[^#\s]+#\/\S+?\/(?:\$|%24)([^/?\s]+)/i;
const eventUri = /^matrix:(?:r|room|roomid)\/[^/\s]+\/e(?:vent)?\/([^/?\s]+)/i;

/** Returns the event ID of a link to an event, or undefined. */
export function eventIn(link: string): string | undefined {
  const [, id] = eventLink.exec(link) ?? eventUri.exec(link) ?? [];
  return id && `$${decoded(id)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `mxc://…`, or what a client made of it to download it: `https://…/media/v3/download/server/id/name?…`. */
const uploadAddress =
  /^(?:mxc:\/\/|https?:\/\/\S+\/media\/(?:\w+\/)?(?:download|thumbnail)\/)([^/\s]+)\/([\w-]+)(?:[/?#]\S*)?$/;

/** Reads the address of an upload; returns undefined for anything else. */
export function uploadIn(text: string): { origin: string; mediaId: string } | undefined {
  const [, origin, mediaId] = uploadAddress.exec(text) ?? [];
  return origin && mediaId ? { origin, mediaId } : undefined;
}
