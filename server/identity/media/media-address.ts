import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';

/** What media are called: `mxc://example.org/4f2a…`. Matrix specification, "Matrix Content (mxc://) URIs". */

export type MediaAddress = { serverName: string; mediaId: string };

/** The address under which clients know an upload. */
export const addressOf = (serverName: string, mediaId: string) => `mxc://${serverName}/${mediaId}`;

/** What an `mxc:` address says; undefined for anything else. */
function parseAddress(address: unknown): MediaAddress | undefined {
  if (typeof address !== 'string') return undefined;
  const [, serverName, mediaId] = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([^/?#]+)$/.exec(address) ?? [];
  return serverName && mediaId && isMediaId(mediaId) ? { serverName, mediaId } : undefined;
}

/** Whether this can be the identifier of media at all. */
export const isMediaId = (text: string) => /^[\w=-]{1,255}$/.test(text);

/**
 * The media that an event shows: its file or picture and the thumbnail of that, encrypted or not. The
 * pictures of members are theirs and not the room's.
 */
export function mediaOfEvent(content: JsonObject): MediaAddress[] {
  const info = objectAt(content, 'info');
  const found = [content, objectAt(content, 'file'), objectAt(info, 'thumbnail_file')].map(({ url }) => url);
  const addresses = [...found, info.thumbnail_url].flatMap((url) => parseAddress(url) ?? []);
  return [...new Map(addresses.map((address) => [JSON.stringify(address), address])).values()];
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
