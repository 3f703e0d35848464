/** Media that the console shows and uploads: plain raster images, recognized by content. */
import { Type } from 'typebox';
import { type Connection, ConnectionFailure, type OutgoingRequest } from './connection.ts';
import { dialects } from './dialect.ts';

/** Maximum size of a shown image, in bytes. */
export const mostImageBytes = 25 * 1024 * 1024;

/** Maximum size of an upload, in bytes; a server may accept less. */
const mostUploadBytes = 10 * 1024 * 1024;
const uploadTimeoutMs = 120_000;

/** Size of the preview: one of the server's thumbnails. */
const previewSize = 'width=800&height=600&method=scale';

/** Servers crop thumbnails up to this size, by default. */
const largestSquare = 96;

export type MediaRequest = {
  uri: string;
  /** Prefers a thumbnail. */
  preview?: boolean | undefined;
  /** A thumbnail of at least this many pixels, never the original. */
  thumbnail?: number | undefined;
  /** Even where it is in quarantine. */
  quarantined?: boolean | undefined;
};

/**
 * Returns the URLs of a `mxc://server/id` on a connected server, in the order to try: for a preview, the thumbnail, then the
 * original. Admins get quarantined media with a parameter.
 *
 * @throws ConnectionFailure `refused` for an invalid mxc URI
 */
export function mediaUrls(
  { baseUrl, dialect }: Connection,
  { uri, preview, thumbnail, quarantined }: MediaRequest,
): string[] {
  const [, server = '', id = ''] = /^mxc:\/\/([\w.:[\]-]+)\/([\w-]+)$/.exec(uri) ?? [];
  if (!server || !id || /^\.+$/.test(server)) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Invalid image address.');
  }
  const media = `${baseUrl}${dialects[dialect].chat}/client/v1/media`;
  const path = `${encodeURIComponent(server)}/${id}`;
  if (thumbnail !== undefined) {
    const method = thumbnail <= largestSquare ? 'crop' : 'scale';
    return [`${media}/thumbnail/${path}?width=${thumbnail}&height=${thumbnail}&method=${method}`];
  }
  const whole = `${media}/download/${path}${quarantined ? '?admin_unsafely_bypass_quarantine=true' : ''}`;
  return preview ? [`${media}/thumbnail/${path}?${previewSize}`, whole] : [whole];
}

type Reply = { status: number; bytes: Uint8Array<ArrayBuffer> };

/** Tries one URL after the other. Returns the first success, or the last reply. */
export async function firstThatHas(
  urls: readonly string[],
  ask: (url: string) => Promise<Reply>,
): Promise<Reply> {
  let reply: Reply = { status: 404, bytes: new Uint8Array() };
  for (const url of urls) {
    reply = await ask(url);
    if (reply.status === 200) break;
  }
  return reply;
}

/**
 * Returns the type of an image reply.
 *
 * @throws ConnectionFailure `refused` if the server returns none, or none that is safe to show
 */
export function imageType({ status, bytes }: { status: number; bytes: Uint8Array }): string {
  if (status !== 200) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'Image unavailable (HTTP {status}). It may have been removed.',
      { status },
    );
  }
  const type = rasterImageType(bytes);
  if (!type) throw new ConnectionFailure('refused', /*i18n*/ 'Unsafe image format.');
  return type;
}

/** Detects the type by the first bytes. Not SVG, which can contain scripts and links. */
function rasterImageType(bytes: Uint8Array): string | undefined {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (latin(0, 6) === 'GIF87a' || latin(0, 6) === 'GIF89a') return 'image/gif';
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/**
 * Returns the type of an image to upload.
 *
 * @throws ConnectionFailure `refused` if it's too large or not in a common format
 */
export function pictureType(bytes: Uint8Array): string {
  if (bytes.byteLength > mostUploadBytes) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'The image exceeds {megabytes} MB. Choose a smaller one.',
      { megabytes: mostUploadBytes / 1024 / 1024 },
    );
  }
  const type = rasterImageType(bytes);
  if (!type) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Unsupported image format. Use PNG, JPEG, GIF or WebP.');
  }
  return type;
}

/**
 * Returns the request that uploads an image.
 *
 * @throws ConnectionFailure as `pictureType`
 */
export function uploadRequest(
  { connection, accessToken }: { connection: Connection; accessToken: string },
  bytes: Uint8Array<ArrayBuffer>,
): OutgoingRequest {
  const type = pictureType(bytes);
  const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/media/v3/upload`;
  return { method: 'POST', url, accessToken, content: { type, bytes }, timeoutMs: uploadTimeoutMs };
}

/** Reply to an upload. */
export const Uploaded = Type.Object({ content_uri: Type.String({ pattern: '^mxc://' }) });
