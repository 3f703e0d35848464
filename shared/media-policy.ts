/** Which media of a homeserver the console shows, and which it puts there: plain raster images, told by their content. */
import { Type } from 'typebox';
import { type Connection, ConnectionFailure, type OutgoingRequest } from './connection.ts';
import { dialects } from './dialect.ts';

/** The largest image that is shown, in bytes. */
export const mostImageBytes = 25 * 1024 * 1024;

/** The largest picture that is uploaded, in bytes; a server may take less. */
const mostUploadBytes = 10 * 1024 * 1024;
const uploadTimeoutMs = 120_000;

/** A picture in a list is drawn within so many pixels: the server has it in that size. */
const previewSize = 'width=800&height=600&method=scale';

/** Servers crop thumbnails up to this size, by default. */
const largestSquare = 96;

export type Wanted = {
  uri: string;
  /** A small copy is enough. */
  preview?: boolean | undefined;
  /** A thumbnail of at least so many pixels is wanted, and never the whole. */
  thumbnail?: number | undefined;
  /** Even where it is in quarantine. */
  quarantined?: boolean | undefined;
};

/**
 * Where the server of a connection has the media of a `mxc://server/id`; for a preview first a small copy, and
 * then the whole, since there isn't one of everything. What is in quarantine a server gives to administrators who
 * say that they know.
 *
 * @throws ConnectionFailure `refused` where that is no address of media
 */
export function mediaUrls(
  { baseUrl, dialect }: Connection,
  { uri, preview, thumbnail, quarantined }: Wanted,
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

/** Asks at one address after the other until one has it; gives the last reply where none does. */
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
 * The type of the image that a reply holds.
 *
 * @throws ConnectionFailure `refused` where the server gives none, or none that is safe to show
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

/** The type that the first bytes tell. SVG is no raster image: it can hold scripts and links. */
function rasterImageType(bytes: Uint8Array): string | undefined {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (latin(0, 6) === 'GIF87a' || latin(0, 6) === 'GIF89a') return 'image/gif';
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/**
 * The type of a picture that is to be put on a server.
 *
 * @throws ConnectionFailure `refused` where it is too large, or not a picture that every client shows
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
 * The request that puts a picture on the server of a connection.
 *
 * @throws ConnectionFailure as `pictureType` does
 */
export function uploadRequest(
  { connection, accessToken }: { connection: Connection; accessToken: string },
  bytes: Uint8Array<ArrayBuffer>,
): OutgoingRequest {
  const type = pictureType(bytes);
  const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/media/v3/upload`;
  return { method: 'POST', url, accessToken, content: { type, bytes }, timeoutMs: uploadTimeoutMs };
}

/** The reply to it. */
export const Uploaded = Type.Object({ content_uri: Type.String({ pattern: '^mxc://' }) });
