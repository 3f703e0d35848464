import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { getMedia, getMediaConfig, postUpload } from '../../../shared/api/media.ts';
import { MatrixError, notFound } from '../../http/matrix-error.ts';
import type { App, Routes } from '../../http/routes.ts';
import { readContent } from '../../media/media-store.ts';
import { storeUpload } from '../../media/upload.ts';
import { findMedia, type Media } from '../../storage/media.ts';

/** Types that a browser may show where they are asked for; none of them can run. Others are downloads. */
const inlineTypes = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng'],
  ...['audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/webm', 'audio/flac'],
  ...['video/mp4', 'video/webm', 'video/ogg', 'text/plain'],
]);

/** Uploading, under …/media. */
export const uploadRoutes: Routes = (app, services) => {
  const { config } = services;
  app.get('/config', { schema: getMediaConfig }, () => ({ 'm.upload.size': config.maxUploadSize }));

  app.register(async (scope: App) => {
    // An upload is written to the disk as it arrives, whatever it is.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.post('/upload', { schema: postUpload }, async ({ requester, query, headers, body, raw }) => {
      const length = headers['content-length'];
      if (length === undefined)
        throw new MatrixError(400, 'M_UNKNOWN', 'Request must specify a Content-Length');
      if (Number(length) > config.maxUploadSize) {
        throw new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');
      }
      const contentUri = await storeUpload(services, {
        userId: requester.userId,
        contentType: headers['content-type'] ?? 'application/octet-stream',
        uploadName: query.filename ?? null,
        // An empty upload has no content type for a parser to act on.
        content: (body as Readable | undefined) ?? raw,
      });
      return { content_uri: contentUri };
    });
  });
};

/** Downloading by signed-in users, under …/client/v1. Interface: "Authentication" 5. */
export const mediaRoutes: Routes = (app, services) => {
  const { db, config } = services;
  app.get('/media/config', { schema: getMediaConfig }, () => ({ 'm.upload.size': config.maxUploadSize }));

  for (const path of [
    '/media/download/:serverName/:mediaId',
    '/media/download/:serverName/:mediaId/:fileName',
  ]) {
    app.get(path, { schema: getMedia }, async ({ params }, reply) => {
      // Media of other servers are not fetched: this one does not federate.
      const media = params.serverName === config.serverName ? await findMedia(db, params.mediaId) : undefined;
      if (!media) throw notFound('Not found');
      return serveContent(reply, media, params.fileName ?? media.uploadName, config.mediaStorePath);
    });
  }
};

/** Sends content so that it can never run as a page of this server. */
function serveContent(reply: FastifyReply, media: Media, fileName: string | null, storePath: string) {
  const [type = ''] = media.contentType.toLowerCase().split(';', 1);
  const disposition = inlineTypes.has(type.trim()) ? 'inline' : 'attachment';
  return reply
    .headers({
      'Content-Type': media.contentType,
      'Content-Length': media.size,
      'Content-Disposition': fileName
        ? `${disposition}; filename*=utf-8''${encodeFileName(fileName)}`
        : disposition,
      'Content-Security-Policy': "sandbox; default-src 'none'; media-src 'self'; object-src 'self'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, max-age=86400, immutable',
    })
    .send(readContent(storePath, media.mediaId));
}

const encodeFileName = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
