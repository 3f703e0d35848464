import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { IfNoneMatch } from '@remix-run/headers/if-none-match';
import { IfRange } from '@remix-run/headers/if-range';
import { Range } from '@remix-run/headers/range';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { whenClosed } from '../../platform/http/send-json.ts';
import type { MediaAccess } from './media-access.ts';
import { isMediaId } from './media-address.ts';
import { openFile } from './media-files.ts';
import { findMedia, type Media } from './media-store.ts';
import { waitForUpload } from './pending-upload.ts';

export type MediaRequest = {
  serverName: string;
  mediaId: string;
  /** Whether it is asked for in the way that needs no signing in. */
  legacy: boolean;
  /** Whether an administrator wants to see what is quarantined. */
  evenQuarantined: boolean;
  /** How long to wait for what is still to be uploaded, in milliseconds. */
  timeoutMs: number;
  /** Ends the waiting. */
  signal: AbortSignal;
};

export type ServedMediaContext = {
  db: Database;
  config: Config;
  clock: Clock;
  mediaAccess: MediaAccess;
  notifier: Notifier;
};

/**
 * Finds media for who asks for its content. Interface: "Authentication" 5.
 *
 * @throws MatrixError 404 for what isn't there, is quarantined, or can't be had without signing in
 */
export async function findServedMedia(
  context: ServedMediaContext,
  { serverName, mediaId, legacy, evenQuarantined, timeoutMs, signal }: MediaRequest,
): Promise<Media> {
  const { db, config, mediaAccess } = context;
  // Media of other servers are not fetched: this one does not federate.
  if (serverName !== config.serverName || !isMediaId(mediaId)) throw notFound('Not found');
  const stored = await findMedia(db, mediaId);
  // What is uploaded from now on is not for who has not signed in, so there is nothing that they may wait for.
  if (legacy && config.enableAuthenticatedMedia && (stored?.authenticated ?? true))
    throw notFound('Not found');
  const media = stored ?? (await waitForUpload(context, mediaId, timeoutMs, signal));
  if (media.quarantinedBy !== null && !evenQuarantined) throw notFound('Not found');
  mediaAccess.note(media);
  return media;
}

/** A download is aborted if the client reads nothing for so many milliseconds. */
const stallTimeout = 60_000;

/** Types that a browser may show where they are asked for; none of them can run. Others are downloads. */
const inlineTypes = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng'],
  ...['audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm', 'audio/flac'],
  ...['video/mp4', 'video/webm', 'video/ogg', 'text/plain'],
]);

type Content = {
  path: string;
  /** The store that it is in. */
  storePath: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** What to call it where it is saved. */
  fileName: string | null;
  /** A name that no other content has; undefined where none is known. */
  etag: string | undefined;
};

/**
 * Sends content, or the part of it that a Range header asks for, so that it can never run as a page of
 * this server. Who has it already is told so, and who doesn't read it is given up.
 *
 * @throws MatrixError 404 where it is gone; 416 for a range beyond its end
 */
export async function sendContent(
  reply: FastifyReply,
  clock: Clock,
  content: Content,
): Promise<FastifyReply> {
  const { contentType, size, fileName, etag } = content;
  const { headers } = reply.request;
  const caching = {
    'Cache-Control': 'private, max-age=86400, immutable',
    ...(etag && { ETag: `"${etag}"` }),
  };
  if (etag && IfNoneMatch.from(headers['if-none-match'] ?? null).matches(etag)) {
    return reply.status(304).headers(caching).send();
  }
  const range = rangeOf(headers, size, etag);
  if (range === 'beyond') {
    reply.header('Content-Range', `bytes */${size}`);
    throw new MatrixError(416, 'M_UNKNOWN', 'Range not satisfiable');
  }
  const file = await openFile(content.storePath, content.path);
  if (!file) throw notFound('Not found');
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  const disposition = inlineTypes.has(type.trim()) ? 'inline' : 'attachment';
  if (range) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  const stream = file.createReadStream(range ?? {});
  abortStalledResponse(reply.raw, clock, () => stream.bytesRead - reply.raw.writableLength);
  return reply
    .headers({
      ...caching,
      'Content-Type': contentType,
      'Content-Length': range ? range.end - range.start + 1 : size,
      'Content-Disposition': fileName ? `${disposition}; filename*=${encodeFileName(fileName)}` : disposition,
      'Content-Security-Policy': "sandbox; default-src 'none'; media-src 'self'; object-src 'self'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow, noarchive, noimageindex',
      'Accept-Ranges': 'bytes',
    })
    .send(stream);
}

/** The first and the last byte that are asked for; undefined where that is everything, or several parts of it. */
function rangeOf(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string | undefined,
): { start: number; end: number } | 'beyond' | undefined {
  const wanted = Range.from(headers.range ?? null);
  const [range] = wanted.ranges;
  if (wanted.unit !== 'bytes' || wanted.ranges.length !== 1 || !range) return undefined;
  if (!Object.values(range).every((place) => place === undefined || Number.isSafeInteger(place)))
    return undefined;
  // It is to go on with what an earlier request has brought.
  const earlier = IfRange.from(asOneHeader(headers['if-range']));
  if (!earlier.matches({ etag: etag ?? null })) return undefined;
  const [part] = wanted.normalize(size);
  return part && part.start < size ? part : 'beyond';
}

const asOneHeader = (value: string | string[] | undefined) => [value].flat()[0] ?? null;

/** In the reference homeserver's spelling. */
const encodeFileName = (name: string) => encodeExtended(name).replace(/^UTF-8/, 'utf-8');

/** @param sent returns how many bytes the system has taken so far */
function abortStalledResponse(response: ServerResponse, clock: Clock, sent: () => number): void {
  let cancel = () => {};
  const watch = (before: number) => {
    cancel = clock.after(stallTimeout, () => {
      const now = sent();
      // With an empty buffer the response waits for this server, not for the client.
      if (now > before || response.writableLength === 0) watch(now);
      else response.destroy();
    });
  };
  watch(sent());
  whenClosed(response, () => cancel());
}
