/** Downloads and uploads images with the user's session. */
import type { MediaContent } from '../../shared/bridge.ts';
import { ConnectionFailure, expectReply } from '../../shared/connection.ts';
import {
  firstThatHas,
  imageType,
  type MediaRequest,
  mediaUrls,
  mostImageBytes,
  Uploaded,
  uploadRequest,
} from '../../shared/media-policy.ts';
import type { Connections } from './connections.ts';
import { fetchBytes, send } from './send.ts';

/** @throws ConnectionFailure `refused` for anything but raster images of an allowed size, `no_such_connection`, … */
export async function fetchImage(
  connections: Connections,
  { connectionId, ...media }: { connectionId: string } & MediaRequest,
): Promise<MediaContent> {
  const reply = await connections.authorized(connectionId, ({ connection, accessToken }) =>
    firstThatHas(mediaUrls(connection, media), (url) =>
      fetchBytes({ method: 'GET', url, accessToken }, mostImageBytes),
    ),
  );
  return { contentType: imageType(reply), bytes: reply.bytes.buffer };
}

/** @throws ConnectionFailure `refused` for anything but raster images of an allowed size, `no_such_connection`, … */
export async function uploadImage(
  connections: Connections,
  { connectionId, bytes }: { connectionId: string; bytes: ArrayBuffer },
): Promise<{ uri: string }> {
  // Input of the bridge can have any shape, and schemas can't check bytes.
  if (!(bytes instanceof ArrayBuffer)) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Images must be sent as bytes.');
  }
  const reply = await connections.authorized(connectionId, (session) =>
    send(uploadRequest(session, new Uint8Array(bytes))),
  );
  return { uri: expectReply(Uploaded, reply).content_uri };
}
