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
import { type Found, lookAt, type PreviewConfig, requireWebAddress } from './look-at.ts';
import { findPreview, forgetPreviews, keepPreview } from './preview-store.ts';

/** A page as text, whatever it says of its encoding. */

/** Where a page may say it itself, in bytes from its beginning. */
const prescanned = 1024;

/** @param contentType of the reply that the page came with */
function pageText(content: Buffer, contentType: string): string {
  const stated = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const encoding = byteOrderOf(content) ?? stated ?? encodingIn(content) ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(content);
  } catch {
    // One that nobody knows.
    return content.toString('utf8');
  }
}

function byteOrderOf(content: Buffer): string | undefined {
  const start = content.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}

function encodingIn(content: Buffer): string | undefined {
  const beginning = content.toString('latin1', 0, prescanned);
  const [, named] = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(beginning) ?? [];
  const [, declared] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(beginning) ?? [];
  return named ?? declared;
}

/** Previews of pages that people link to. Matrix specification, client-server API, `GET …/media/preview_url`. */

type PreviewContext = MediaContext & { db: Kysely<Schema>; config: Config; stopping: AbortController };

/** How long a preview is shown before the page is looked at again, in milliseconds. */
const freshFor = 60 * 60_000;
/** How long it is kept with its picture, which somebody may still be looking at, in milliseconds. */
const keptFor = 48 * 60 * 60_000;
/** How long one may take in all, in milliseconds. */
const patience = 20_000;
/** How many are made at once, whoever asks. */
const atOnce = 8;
/** How many old ones go when a new one comes. */
const forgottenAtOnce = 10;
/** So much of a page is enough to say what it is about, in characters. */
const readAtMost = 512 * 1024;

export type Previews = {
  /**
   * The preview of an address: what its page says of itself, with the picture among the uploads of who asks.
   *
   * @throws MatrixError 404 where there are no previews; 400, 403 and 502 as for `lookAt`; 429 where too many are
   *   being made
   */
  find(userId: string, url: string): Promise<JsonObject>;
};

export function createPreviews(context: PreviewContext): Previews {
  const { db, clock, config, stopping } = context;
  const underWay = new Map<string, Promise<JsonObject>>();

  async function make(previews: PreviewConfig, userId: string, address: URL): Promise<JsonObject> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]);
    const found = await lookAt(previews, address, signal);
    const { preview, mediaId } = await previewOf(context, previews, { userId, found, signal });
    const now = clock.now();
    const pictures = await inTransaction(db, async (tx) => {
      await keepPreview(tx, { url: address.href, fetchedTs: now, preview, mediaId });
      return forgetPreviews(tx, now - keptFor, forgottenAtOnce);
    });
    if (pictures.length > 0) await removeMedia(context, pictures);
    return preview;
  }

  return {
    async find(userId, url) {
      const previews = config.urlPreviews;
      if (!previews) throw unrecognized();
      const address = requireWebAddress(url);
      const known = await findPreview(db, address.href, clock.now() - freshFor);
      if (known) return known;
      const same = underWay.get(address.href);
      if (same) return same;
      if (underWay.size >= atOnce) {
        const sentence = 'Too many previews are being generated. Try again in a moment.';
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', sentence, { retry_after_ms: 1000 });
      }
      const making = make(previews, userId, address).finally(() => underWay.delete(address.href));
      underWay.set(address.href, making);
      return making;
    },
  };
}

type Looked = { userId: string; found: Found; signal: AbortSignal };
type Made = { preview: JsonObject; mediaId?: string };

async function previewOf(context: PreviewContext, config: PreviewConfig, looked: Looked): Promise<Made> {
  const { address, contentType, content } = looked.found;
  if (contentType === '') return { preview: {} };
  if (contentType.startsWith('image/')) return pictureOf(context, looked);
  if (!/^(text\/html|application\/xhtml\+xml)\b/.test(contentType)) {
    const sentence = `Requested file's content type not allowed for this operation: ${contentType}`;
    throw new MatrixError(502, 'M_UNKNOWN', sentence);
  }
  // Loaded where it is used: most servers start without it.
  const { readMetadata } = await import('./page-metadata.ts');
  const { properties, picture } = readMetadata(pageText(content, contentType).slice(0, readAtMost));
  const said = Object.fromEntries(properties);
  const shown = picture && (await findPicture(context, config, picture, { ...looked, base: address }));
  return shown ? { ...shown, preview: { ...said, ...shown.preview } } : { preview: said };
}

/** A page without its picture is better than no page. */
async function findPicture(
  context: PreviewContext,
  config: PreviewConfig,
  picture: string,
  { base, ...looked }: Looked & { base: URL },
): Promise<Made | undefined> {
  try {
    const found = await lookAt(config, requireWebAddress(picture, base), looked.signal);
    return await pictureOf(context, { ...looked, found });
  } catch (error) {
    if (error instanceof MatrixError) return undefined;
    throw error;
  }
}

/** Stores a picture of a kind that every client shows, and nothing else that calls itself one. */
async function pictureOf(context: PreviewContext, { userId, found: { content } }: Looked): Promise<Made> {
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
