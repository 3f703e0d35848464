/** Images of a connected server: fetched with the person's session, told by their content, never by a header. */
import type { MediaContent } from '../shared/bridge.ts';
import { ConnectionFailure } from '../shared/connection.ts';
import { dialects } from '../shared/dialect.ts';
import type { Connections } from './connections.ts';
import { fetchBytes } from './send.ts';

const maximumBytes = 25 * 1024 * 1024;

/** @throws ConnectionFailure `refused` for what is not a plain raster image or too large, `no_such_connection`, … */
export async function fetchImage(
  connections: Connections,
  { connectionId, uri }: { connectionId: string; uri: string },
): Promise<MediaContent> {
  const { connection, accessToken } = connections.session(connectionId);
  const [, server, id] = /^mxc:\/\/([\w.:[\]-]+)\/([\w-]+)$/.exec(uri) ?? [];
  if (!server || !id || /^\.+$/.test(server)) {
    throw new ConnectionFailure('refused', 'That is not an address of media.');
  }
  const { chat } = dialects[connection.dialect];
  const url = `${connection.baseUrl}${chat}/client/v1/media/download/${encodeURIComponent(server)}/${id}`;
  const { status, bytes } = await fetchBytes({ method: 'GET', url, accessToken }, maximumBytes);
  if (status !== 200) {
    throw new ConnectionFailure(
      'refused',
      `The server does not give out this image (HTTP status ${status}).`,
    );
  }
  const contentType = rasterImageType(bytes);
  if (!contentType) {
    throw new ConnectionFailure('refused', 'This is not an image of a kind that is safe to show.');
  }
  return {
    contentType,
    bytes: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  };
}

/** The type that the first bytes tell. SVG is no raster image: it can hold scripts and links. */
export function rasterImageType(bytes: Uint8Array): string | undefined {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (latin(0, 6) === 'GIF87a' || latin(0, 6) === 'GIF89a') return 'image/gif';
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
