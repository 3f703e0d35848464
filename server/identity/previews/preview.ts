import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Config } from '../../platform/config/config.ts';
import { MatrixError, unrecognized } from '../../platform/core/matrix-error.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { removeMedia } from '../media/delete-media.ts';
import { readImageHeader } from '../media/image-header.ts';
import { type MediaContext, storeUpload } from '../media/upload.ts';
import { fetchResource, type PreviewConfig, type Resource, requireWebUrl } from './fetch-resource.ts';
import { deletePreviews, findPreview, insertPreview } from './preview-store.ts';

type PreviewContext = MediaContext & { db: Kysely<Schema>; config: Config; stopping: AbortController };

/** Age at which a page is fetched again, in milliseconds. */
const maximumAge = 60 * 60_000;
/** Age at which a preview and its image are deleted, in milliseconds: clients may still show them. */
const retention = 48 * 60 * 60_000;
/** Per preview, in milliseconds. */
const timeout = 20_000;
const maximumConcurrent = 8;
/** Old previews deleted with each new one. */
const deletionBatch = 10;
/** Characters of a page that are read. */
const maximumText = 512 * 1024;

export type Previews = {
  /**
   * Returns the preview of a URL, whose image becomes an upload of the user.
   *
   * @throws MatrixError 404 if previews are disabled; 400, 403 and 502 as for `fetchResource`; 429 if too many are
   *   being generated
   */
  find(userId: string, url: string): Promise<JsonObject>;
};

/** URL previews. Matrix specification, client-server API, `GET …/media/preview_url`. */
export function createPreviews(context: PreviewContext): Previews {
  const { db, clock, config, stopping } = context;
  const pending = new Map<string, Promise<JsonObject>>();

  async function generate(previews: PreviewConfig, userId: string, url: URL): Promise<JsonObject> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeout)]);
    const resource = await fetchResource(previews, url, signal);
    const { preview, mediaId } = await previewOf(context, previews, { userId, resource, signal });
    const now = clock.now();
    const images = await inTransaction(db, async (tx) => {
      await insertPreview(tx, { url: url.href, fetchedTs: now, preview, mediaId });
      return deletePreviews(tx, now - retention, deletionBatch);
    });
    if (images.length > 0) await removeMedia(context, images);
    return preview;
  }

  return {
    async find(userId, text) {
      const previews = config.urlPreviews;
      if (!previews) throw unrecognized();
      const url = requireWebUrl(text);
      const cached = await findPreview(db, url.href, clock.now() - maximumAge);
      if (cached) return cached;
      const shared = pending.get(url.href);
      if (shared) return shared;
      if (pending.size >= maximumConcurrent) {
        const sentence = 'Too many previews are being generated. Try again in a moment.';
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', sentence, { retry_after_ms: 1000 });
      }
      const preview = generate(previews, userId, url).finally(() => pending.delete(url.href));
      pending.set(url.href, preview);
      return preview;
    },
  };
}

type PreviewSource = { userId: string; resource: Resource; signal: AbortSignal };
type Preview = { preview: JsonObject; mediaId?: string };

async function previewOf(
  context: PreviewContext,
  config: PreviewConfig,
  source: PreviewSource,
): Promise<Preview> {
  const { url, contentType, content } = source.resource;
  if (contentType === '') return { preview: {} };
  if (contentType.startsWith('image/')) return storeImage(context, source);
  if (!/^(text\/html|application\/xhtml\+xml)\b/.test(contentType)) {
    const sentence = `Requested file's content type not allowed for this operation: ${contentType}`;
    throw new MatrixError(502, 'M_UNKNOWN', sentence);
  }
  // Loaded on first use, for a faster start.
  const { readMetadata } = await import('./page-metadata.ts');
  const metadata = readMetadata(decodePage(content, contentType).slice(0, maximumText));
  const properties = Object.fromEntries(metadata.properties);
  const image =
    metadata.image && (await fetchImage(context, config, metadata.image, { ...source, base: url }));
  return image ? { ...image, preview: { ...properties, ...image.preview } } : { preview: properties };
}

/** In bytes from the start of a page. */
const encodingSearchLength = 1024;

/** Decodes a page by its byte order mark, Content-Type header or declaration. */
function decodePage(content: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const encoding = byteOrderMark(content) ?? charset ?? declaredEncoding(content) ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(content);
  } catch {
    // Unknown encoding.
    return content.toString('utf8');
  }
}

function byteOrderMark(content: Buffer): string | undefined {
  const start = content.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}

function declaredEncoding(content: Buffer): string | undefined {
  const start = content.toString('latin1', 0, encodingSearchLength);
  const [, html] = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start) ?? [];
  const [, xml] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(start) ?? [];
  return html ?? xml;
}

/** Returns undefined if the image can't be fetched: a preview without an image is better than none. */
async function fetchImage(
  context: PreviewContext,
  config: PreviewConfig,
  image: string,
  { base, ...source }: PreviewSource & { base: URL },
): Promise<Preview | undefined> {
  try {
    const resource = await fetchResource(config, requireWebUrl(image, base), source.signal);
    return await storeImage(context, { ...source, resource });
  } catch (error) {
    if (error instanceof MatrixError) return undefined;
    throw error;
  }
}

/** Stores an image if its content has a common format, regardless of its Content-Type. */
async function storeImage(
  context: PreviewContext,
  { userId, resource: { content } }: PreviewSource,
): Promise<Preview> {
  const header = readImageHeader(content);
  if (!header) return { preview: {} };
  const contentType = `image/${header.format}`;
  const upload = { userId, contentType, uploadName: null, content: Readable.from([content]) };
  const uri = await storeUpload(context, upload);
  return {
    preview: {
      'og:image': uri,
      'og:image:type': contentType,
      'og:image:width': header.width,
      'og:image:height': header.height,
      'matrix:image:size': content.length,
    },
    mediaId: uri.slice(uri.lastIndexOf('/') + 1),
  };
}
