/** Which media of a homeserver the console shows: plain raster images, told by their content. */
import { type Connection, ConnectionFailure } from './connection.ts';
import { dialects } from './dialect.ts';

/** The largest image that is shown, in bytes. */
export const mostImageBytes = 25 * 1024 * 1024;

/**
 * Where the server of a connection has the media of a `mxc://server/id`.
 *
 * @throws ConnectionFailure `refused` where that is no address of media
 */
export function mediaUrl({ baseUrl, dialect }: Connection, uri: string): string {
  const [, server = '', id = ''] = /^mxc:\/\/([\w.:[\]-]+)\/([\w-]+)$/.exec(uri) ?? [];
  if (!server || !id || /^\.+$/.test(server)) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'The address of this image is not one that a homeserver gives.',
    );
  }
  return `${baseUrl}${dialects[dialect].chat}/client/v1/media/download/${encodeURIComponent(server)}/${id}`;
}

/**
 * The type of the image that a reply holds.
 *
 * @throws ConnectionFailure `refused` where the server gives none, or none that is safe to show
 */
export function imageType({ status, bytes }: { status: number; bytes: Uint8Array }): string {
  if (status !== 200) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'The server does not give out this image (HTTP status {status}). It may have been removed.',
      { status },
    );
  }
  const type = rasterImageType(bytes);
  if (!type) throw new ConnectionFailure('refused', /*i18n*/ 'This is not an image that is safe to show.');
  return type;
}

/** The type that the first bytes tell. SVG is no raster image: it can hold scripts and links. */
function rasterImageType(bytes: Uint8Array): string | undefined {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (latin(0, 6) === 'GIF87a' || latin(0, 6) === 'GIF89a') return 'image/gif';
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
