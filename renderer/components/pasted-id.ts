/** Quotes, brackets and direction marks that are copied along with an ID. */
const leadingNoise = /^[\s<("'`“”„«\u200b-\u200f\u2060-\u2069\ufeff]+/;
const trailingNoise = /[>)"'`“”»,;\u200b-\u200f\u2060-\u2069\ufeff]+$/;
/** As `after`, with characters that also end an ID that is still being typed. */
const trailingNoiseAndEnd = /[\s>)"'`“”»,;.\u200b-\u200f\u2060-\u2069\ufeff]+$/;

/** Links of matrix.to, web clients and the desktop app to a user, a room or an event. */
const link =
  /^(?:https?:\/\/(?:matrix\.to\/#|[^#\s]+#\/(?:user|room))|gatehouse:\/\/[^/\s]+\/(?:user|room))\/([^/?\s]+)/i;
/** URIs like `matrix:u/alice:example.org`. */
const uri = /^matrix:(?:\/\/[^/\s]*\/)?(u|user|r|room|roomid)\/([^/?#\s]+)/i;
const sigils: Record<string, string> = { u: '@', user: '@', r: '#', room: '#', roomid: '!' };

/**
 * Extracts the user ID, room ID or alias from a pasted link, or from text with quotes around it. Returns other text
 * unchanged.
 */
export function parsePastedId(pasted: string): string {
  const trimmed = pasted.replace(leadingNoise, '');
  const bare = trimmed.replace(trimmed === pasted ? trailingNoise : trailingNoiseAndEnd, '');
  const [, linkedId] = link.exec(bare) ?? [];
  const [, kind = '', uriId] = uri.exec(bare) ?? [];
  const id =
    linkedId !== undefined
      ? decoded(linkedId)
      : uriId !== undefined
        ? `${sigils[kind.toLowerCase()]}${decoded(uriId)}`
        : bare;
  return /^(?:[@#][^\s:]+:\S+|!\S+)$/.test(id) ? id : pasted;
}

const eventLink = /^https?:\/\/[^#\s]+#\/\S+?\/(?:\$|%24)([^/?\s]+)/i;
const eventUri = /^matrix:(?:r|room|roomid)\/[^/\s]+\/e(?:vent)?\/([^/?\s]+)/i;

/** Returns the event ID of a link to an event, or undefined. */
export function eventIdOfLink(link: string): string | undefined {
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

/** `mxc://…`, or a client's download URL: `https://…/media/v3/download/server/id/name?…`. */
const mediaUrl =
  /^(?:mxc:\/\/|https?:\/\/\S+\/media\/(?:\w+\/)?(?:download|thumbnail)\/)([^/\s]+)\/([\w-]+)(?:[/?#]\S*)?$/;

/** Parses an mxc URI or a download URL; returns undefined for other text. */
export function parseMediaUri(text: string): { origin: string; mediaId: string } | undefined {
  const [, origin, mediaId] = mediaUrl.exec(text) ?? [];
  return origin && mediaId ? { origin, mediaId } : undefined;
}
