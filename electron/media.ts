/** Images of a connected server, fetched with the person's session. */
import type { MediaContent } from '../shared/bridge.ts';
import { firstThatHas, imageType, mediaUrls, mostImageBytes } from '../shared/media-policy.ts';
import type { Connections } from './connections.ts';
import { fetchBytes } from './send.ts';

/** @throws ConnectionFailure `refused` for what is not a plain raster image or too large, `no_such_connection`, … */
export async function fetchImage(
  connections: Connections,
  { connectionId, uri, preview = false }: { connectionId: string; uri: string; preview?: boolean },
): Promise<MediaContent> {
  const { connection, accessToken } = await connections.session(connectionId);
  const reply = await firstThatHas(mediaUrls(connection, uri, preview), (url) =>
    fetchBytes({ method: 'GET', url, accessToken }, mostImageBytes),
  );
  return { contentType: imageType(reply), bytes: reply.bytes.buffer };
}
