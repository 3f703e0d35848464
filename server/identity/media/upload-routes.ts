import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { createUpload, getMediaConfig, postUpload, putUpload } from '../../../shared/api/media.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import type { Config } from '../../platform/config/config.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';
import { createPendingUpload, requirePendingUpload, storePendingUpload } from './pending-upload.ts';
import { type MediaContext, storeUpload, type Upload } from './upload.ts';

const creating: UserPolicy = { ...user, limits: [{ of: 'mediaCreation', by: 'user' }] };
/** Each upload holds a connection and disk space. */
const concurrency = { name: 'uploads', perUser: 10, refusal: 'Too many concurrent uploads' };
const uploading: UserPolicy = { ...creating, concurrency };
/** The rate limit has counted the creation of the media ID. */
const uploadingToMediaId: UserPolicy = { ...user, concurrency };

/** Under …/media. */
export const uploadRoutes: Routes<MediaContext> = (app, context) => {
  app.register(async (scope: App) => {
    streamBodies(scope);
    scope.post('/upload', { schema: postUpload, config: { policy: uploading } }, async (request) => {
      requireLength(request, context.config.maxUploadSize);
      return { content_uri: await storeUpload(context, uploadOf(request)) };
    });
  });
};

/** Under …/media/v1. */
export const uploadCreationRoutes: Routes<MediaContext> = (app, context) => {
  app.post('/create', { schema: createUpload, config: { policy: creating } }, async ({ requester }) => {
    const { contentUri, expiresTs } = await createPendingUpload(context, requester.userId);
    return { content_uri: contentUri, unused_expires_at: expiresTs };
  });
};

/** Under …/media/v3. */
export const pendingUploadRoutes: Routes<MediaContext & { notifier: Notifier }> = (app, context) => {
  app.register(async (scope: App) => {
    streamBodies(scope);
    scope.put(
      '/upload/:serverName/:mediaId',
      { schema: putUpload, config: { policy: uploadingToMediaId } },
      async (request) => {
        const { serverName, mediaId } = request.params;
        requireLength(request, context.config.maxUploadSize);
        await requirePendingUpload(context, request.requester.userId, serverName, mediaId);
        await storePendingUpload(context, mediaId, uploadOf(request));
        return {};
      },
    );
  });
};

/** Uploads of any type are written to the disk as they arrive. */
function streamBodies(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/** @throws MatrixError 400 without a Content-Length, 413 if it's too large */
function requireLength({ headers }: Pick<FastifyRequest, 'headers'>, maximumSize: number): void {
  const length = headers['content-length'];
  if (length === undefined) {
    throw new MatrixError(400, 'M_UNKNOWN', 'Request must specify a Content-Length');
  }
  if (Number(length) > maximumSize) {
    throw new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');
  }
}

type UploadRequest = Pick<FastifyRequest, 'requester' | 'headers' | 'body' | 'raw'> & {
  query: { filename?: string };
};

function uploadOf({ requester, query, headers, body, raw }: UploadRequest): Upload {
  const type = headers['content-type'] ?? '';
  return {
    userId: requester.userId,
    contentType: type === '' || type.length > 255 ? 'application/octet-stream' : type,
    uploadName: query.filename ?? null,
    // An empty upload has no content type for a parser to act on.
    content: (body as Readable | undefined) ?? raw,
  };
}

type Context = { config: Config };

/** Under …/client/v1. */
export const mediaConfigRoutes: Routes<Context> = (app, { config }) => {
  app.get('/media/config', { schema: getMediaConfig, config: { policy: user } }, () => asResponse(config));
};

/** The same under …/media, for older clients. */
export const legacyMediaConfigRoutes: Routes<Context> = (app, { config }) => {
  app.get('/config', { schema: getMediaConfig, config: { policy: user } }, () => asResponse(config));
};

const asResponse = ({ maxUploadSize }: Config) => ({ 'm.upload.size': maxUploadSize });
