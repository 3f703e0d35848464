import type { FastifyReply } from 'fastify';
import { getMedia, getThumbnail, maximumUploadWaitMs } from '../../../shared/api/media.ts';
import { networkOf } from '../../platform/core/network.ts';
import { anyone, type Policy, userOrGuest } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';
import { goneSignal } from '../../platform/http/send-json.ts';
import { findServedMedia, type MediaRequest, type ServedMediaContext, sendContent } from './download.ts';
import { contentPath } from './media-files.ts';
import type { Thumbnails } from './thumbnails.ts';

type DownloadContext = ServedMediaContext & {
  thumbnails: Thumbnails;
  /** Aborted when the server stops. */
  stopping: AbortController;
};

/** Under …/client/v1, with an access token. Matrix specification, client-server API, "Content repository". */
export const mediaRoutes: Routes<DownloadContext> = (app, context) =>
  serveMedia(app, context, '/media', false);

/** Under …/media, without an access token: only media uploaded while authenticated media was disabled. */
export const legacyMediaRoutes: Routes<DownloadContext> = (app, context) =>
  serveMedia(app, context, '', true);

function serveMedia(app: App, context: DownloadContext, prefix: string, legacy: boolean): void {
  const { config, clock, thumbnails, stopping } = context;
  const downloading: Policy = legacy ? anyone : { ...userOrGuest, administrators: 'exempt' };

  const find = (request: Omit<MediaRequest, 'legacy'>) =>
    findServedMedia(context, {
      ...request,
      legacy,
      timeoutMs: Math.min(request.timeoutMs, maximumUploadWaitMs),
    });
  const signalOf = (reply: FastifyReply) => AbortSignal.any([stopping.signal, goneSignal(reply)]);

  for (const path of ['/download/:serverName/:mediaId', '/download/:serverName/:mediaId/:fileName']) {
    app.get(
      prefix + path,
      { schema: getMedia, config: { policy: downloading } },
      async ({ params, query, exempt }, reply) => {
        const evenQuarantined = exempt && query.admin_unsafely_bypass_quarantine;
        const signal = signalOf(reply);
        const media = await find({ ...params, evenQuarantined, timeoutMs: query.timeout_ms, signal });
        return sendContent(reply, clock, {
          storePath: config.mediaStorePath,
          path: contentPath(config.mediaStorePath, media.mediaId),
          contentType: media.contentType,
          size: media.size,
          fileName: params.fileName ?? media.uploadName,
          etag: media.sha256 ?? undefined,
        });
      },
    );
  }

  app.get(
    `${prefix}/thumbnail/:serverName/:mediaId`,
    { schema: getThumbnail, config: { policy: legacy ? anyone : userOrGuest } },
    async ({ params, query, requester, ip }, reply) => {
      const signal = signalOf(reply);
      const media = await find({ ...params, evenQuarantined: false, timeoutMs: query.timeout_ms, signal });
      const client = { name: requester?.userId ?? networkOf(ip), signal };
      const { name, ...thumbnail } = await thumbnails.find(media, query, client);
      const etag = media.sha256 === null ? undefined : `${media.sha256}-${name}`;
      const { mediaStorePath: storePath } = config;
      return sendContent(reply, clock, { ...thumbnail, storePath, fileName: null, etag });
    },
  );
}
