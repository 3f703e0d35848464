import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { IfNoneMatch } from '@remix-run/headers/if-none-match';
import { IfRange } from '@remix-run/headers/if-range';
import { Range } from '@remix-run/headers/range';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/concurrency/write-behind.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { whenClosed } from '../../platform/http/send-json.ts';
import { isMediaId } from './media-address.ts';
import { openFile } from './media-files.ts';
import { findMedia, type Media, touchMedia } from './media-store.ts';
import { waitForUpload } from './pending-upload.ts';

export type MediaRequest = {
  serverName: string;
  mediaId: string;
  /** Whether the endpoint needs no access token. */
  legacy: boolean;
  /** Whether an administrator bypasses the quarantine. */
  evenQuarantined: boolean;
  /** How long to wait for a pending upload, in milliseconds. */
  timeoutMs: number;
  /** Ends the wait. */
  signal: AbortSignal;
};

export type ServedMediaContext = {
  db: Database;
  config: Config;
  clock: Clock;
  mediaAccess: MediaAccess;
  notifier: Notifier;
};

/** @throws MatrixError 404 if the media doesn't exist, is quarantined, or needs an access token */
export async function findServedMedia(
  context: ServedMediaContext,
  { serverName, mediaId, legacy, evenQuarantined, timeoutMs, signal }: MediaRequest,
): Promise<Media> {
  const { db, config, mediaAccess } = context;
  // No remote media: this server doesn't federate.
  if (serverName !== config.serverName || !isMediaId(mediaId)) throw notFound('Not found');
  const stored = await findMedia(db, mediaId);
  // Don't wait for an upload: it will need an access token.
  if (legacy && config.enableAuthenticatedMedia && (stored?.authenticated ?? true))
    throw notFound('Not found');
  const media = stored ?? (await waitForUpload(context, mediaId, timeoutMs, signal));
  if (media.quarantinedBy !== null && !evenQuarantined) throw notFound('Not found');
  mediaAccess.note(media);
  return media;
}

/** A download is aborted if the client reads nothing for this time, in milliseconds. */
const stallTimeout = 60_000;

/** Types that a browser may display, as none can run scripts. */
const inlineTypes = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng'],
  ...['audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm', 'audio/flac'],
  ...['video/mp4', 'video/webm', 'video/ogg', 'text/plain'],
]);

type Content = {
  path: string;
  storePath: string;
  contentType: string;
  /** In bytes. */
  size: number;
  fileName: string | null;
  etag: string | undefined;
};

/**
 * Sends content or a range of it, with headers that prevent it from running as a page of this server.
 *
 * @throws MatrixError 404 if it is gone; 416 for a range beyond its end
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

/** Returns the first and last byte of a range; undefined to send everything, also for multiple ranges. */
function rangeOf(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string | undefined,
): { start: number; end: number } | 'beyond' | undefined {
  const header = Range.from(headers.range ?? null);
  const [range] = header.ranges;
  if (header.unit !== 'bytes' || header.ranges.length !== 1 || !range) return undefined;
  if (!Object.values(range).every((position) => position === undefined || Number.isSafeInteger(position)))
    return undefined;
  const condition = IfRange.from(firstOf(headers['if-range']));
  if (!condition.matches({ etag: etag ?? null })) return undefined;
  const [normalized] = header.normalize(size);
  return normalized && normalized.start < size ? normalized : 'beyond';
}

const firstOf = (header: string | string[] | undefined) => [header].flat()[0] ?? null;

/** Lowercase as in Synapse. */
const encodeFileName = (name: string) => encodeExtended(name).replace(/^UTF-8/, 'utf-8');

/** @param sent returns the number of bytes handed to the operating system */
function abortStalledResponse(response: ServerResponse, clock: Clock, sent: () => number): void {
  let cancel = () => {};
  const watch = (before: number) => {
    cancel = clock.after(stallTimeout, () => {
      const now = sent();
      // With an empty buffer, the response waits for this server, not for the client.
      if (now > before || response.writableLength === 0) watch(now);
      else response.destroy();
    });
  };
  watch(sent());
  whenClosed(response, () => cancel());
}

/** Accuracy of the last access time, in milliseconds: not every download is worth a write. */
const precision = 60_000;

/** Saves when media were last downloaded, without making a download wait for it. */
export type MediaAccess = Pick<WriteBehind<object>, 'settle' | 'stop'> & {
  note(media: Pick<Media, 'mediaId' | 'lastAccessTs'>): void;
};

export function createMediaAccess({ db, clock, log }: { db: Database; clock: Clock; log: Log }): MediaAccess {
  const accesses = createWriteBehind<{ mediaId: string; time: number }>(
    { clock, log },
    "media: couldn't save last access times",
    async (changes) => {
      for (const { mediaId, time } of changes) await touchMedia(db, mediaId, time);
    },
  );
  return {
    note({ mediaId, lastAccessTs }) {
      const time = clock.now();
      if (lastAccessTs === null || lastAccessTs <= time - precision) accesses.put(mediaId, { mediaId, time });
    },
    settle: accesses.settle,
    stop: accesses.stop,
  };
}
