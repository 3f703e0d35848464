import type { FastifyReply } from 'fastify';
import { MatrixError, notFound } from '../core/matrix-error.ts';
import { openFile } from './media-files.ts';

/** Types that a browser may show where they are asked for; none of them can run. Others are downloads. */
const inlineTypes = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng'],
  ...['audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm', 'audio/flac'],
  ...['video/mp4', 'video/webm', 'video/ogg', 'text/plain'],
]);

export type Content = {
  path: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** What to call it where it is saved. */
  fileName: string | null;
};

/**
 * Sends content, or the part of it that a Range header asks for, so that it can never run as a page of
 * this server.
 *
 * @throws MatrixError 404 where it is gone; 416 for a range beyond its end
 */
export async function sendContent(reply: FastifyReply, content: Content): Promise<FastifyReply> {
  const { contentType, size, fileName } = content;
  const range = rangeOf(reply.request.headers.range, size);
  if (range === 'beyond') {
    reply.header('Content-Range', `bytes */${size}`);
    throw new MatrixError(416, 'M_UNKNOWN', 'The range lies beyond the end of the content');
  }
  const file = await openFile(content.path);
  if (!file) throw notFound('Not found');
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  const disposition = inlineTypes.has(type.trim()) ? 'inline' : 'attachment';
  if (range) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  return reply
    .headers({
      'Content-Type': contentType,
      'Content-Length': range ? range.end - range.start + 1 : size,
      'Content-Disposition': fileName
        ? `${disposition}; filename*=utf-8''${encodeFileName(fileName)}`
        : disposition,
      'Content-Security-Policy': "sandbox; default-src 'none'; media-src 'self'; object-src 'self'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow, noarchive, noimageindex',
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, max-age=86400, immutable',
    })
    .send(file.createReadStream(range ?? {}));
}

/** The first and the last byte of a range; undefined where the header asks for none that can be given. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) return 'beyond';
  return start <= end ? { start, end } : undefined;
}

const encodeFileName = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
