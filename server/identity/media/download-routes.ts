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
  /** Aborted when the server begins to stop: nothing is waited for any more then. */
  stopping: AbortController;
};

/** Downloading by signed-in users, under …/client/v1. Interface: "Authentication" 5. */
export const mediaRoutes: Routes<DownloadContext> = (app, context) =>
  serveMedia(app, context, '/media', false);

/** Downloading by anyone, under …/media: only what was uploaded while that was how media were served. */
export const legacyMediaRoutes: Routes<DownloadContext> = (app, context) =>
  serveMedia(app, context, '', true);

function serveMedia(app: App, context: DownloadContext, prefix: string, legacy: boolean): void {
  const { config, clock, thumbnails, stopping } = context;
  // Only they may look at what is quarantined, and only where it is known that they are.
  const downloading: Policy = legacy ? anyone : { ...userOrGuest, administrators: 'exempt' };

  const find = (request: Omit<MediaRequest, 'legacy'>) =>
    findServedMedia(context, {
      ...request,
      legacy,
      timeoutMs: Math.min(request.timeoutMs, maximumUploadWaitMs),
    });
  const endOf = (reply: FastifyReply) => AbortSignal.any([stopping.signal, goneSignal(reply)]);

  for (const path of ['/download/:serverName/:mediaId', '/download/:serverName/:mediaId/:fileName']) {
    app.get(
      prefix + path,
      { schema: getMedia, config: { policy: downloading } },
      async ({ params, query, exempt }, reply) => {
        const evenQuarantined = exempt && query.admin_unsafely_bypass_quarantine;
        const signal = endOf(reply);
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
      const signal = endOf(reply);
      const media = await find({ ...params, evenQuarantined: false, timeoutMs: query.timeout_ms, signal });
      const client = { name: requester?.userId ?? networkOf(ip), signal };
      const { name, ...thumbnail } = await thumbnails.find(media, query, client);
      const etag = media.sha256 === null ? undefined : `${media.sha256}-${name}`;
      const { mediaStorePath: storePath } = config;
      return sendContent(reply, clock, { ...thumbnail, storePath, fileName: null, etag });
    },
  );
}
