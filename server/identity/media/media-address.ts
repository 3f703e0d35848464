/** MXC URIs such as `mxc://example.org/4f2a…`. Matrix specification, "Matrix Content (mxc://) URIs". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';

export type MediaAddress = { serverName: string; mediaId: string };

export const addressOf = (serverName: string, mediaId: string) => `mxc://${serverName}/${mediaId}`;

function parseAddress(address: unknown): MediaAddress | undefined {
  if (typeof address !== 'string') return undefined;
  const [, serverName, mediaId] = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([^/?#]+)$/.exec(address) ?? [];
  return serverName && mediaId && isMediaId(mediaId) ? { serverName, mediaId } : undefined;
}

export const isMediaId = (text: string) => /^[\w=-]{1,255}$/.test(text);

/** Returns an event's file or image and its thumbnail, encrypted or not. Leaves out avatars of members. */
export function mediaOfEvent(content: JsonObject): MediaAddress[] {
  const info = objectAt(content, 'info');
  const urls = [content, objectAt(content, 'file'), objectAt(info, 'thumbnail_file')].map(({ url }) => url);
  const addresses = [...urls, info.thumbnail_url].flatMap((url) => parseAddress(url) ?? []);
  return [...new Map(addresses.map((address) => [JSON.stringify(address), address])).values()];
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
