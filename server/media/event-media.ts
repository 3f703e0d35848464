import type { JsonObject } from '../../shared/api/common.ts';
import { isObject } from '../../shared/is-object.ts';
import { type MediaAddress, parseAddress } from './media-address.ts';

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
