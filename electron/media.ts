/** Images of a connected server, fetched with the person's session. */
import type { MediaContent } from '../shared/bridge.ts';
import { imageType, mediaUrl, mostImageBytes } from '../shared/media-policy.ts';
import type { Connections } from './connections.ts';
import { fetchBytes } from './send.ts';

/** @throws ConnectionFailure `refused` for what is not a plain raster image or too large, `no_such_connection`, … */
export async function fetchImage(
  connections: Connections,
  { connectionId, uri }: { connectionId: string; uri: string },
): Promise<MediaContent> {
  const { connection, accessToken } = await connections.session(connectionId);
  const url = mediaUrl(connection, uri);
  const reply = await fetchBytes({ method: 'GET', url, accessToken }, mostImageBytes);
  return { contentType: imageType(reply), bytes: reply.bytes.buffer };
}
