import {
  deleteMedia,
  deleteUnusedMedia,
  getMediaInfo,
  listRoomMedia,
  type MediaItem,
  purgeMediaCache,
} from '../../../shared/api/media-administration.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { removeMedia, removeUnusedMedia } from './delete-media.ts';
import type { MediaAccess } from './media-access.ts';
import { addressOf, isMediaId } from './media-address.ts';
import { findMedia, type Media } from './media-store.ts';
import * as roomMedia from './room-media-store.ts';
import type { MediaContext } from './upload.ts';

/** Times before this were meant as seconds: 1 January 1971, in milliseconds. */
const earliestTime = 365 * 24 * 60 * 60 * 1000;

/** Interface: "Other endpoints that are referenced", "POST …/media/delete". */
export const mediaAdministrationRoutes: Routes<MediaContext & { mediaAccess: MediaAccess }> = (
  app,
  context,
) => {
  const { db, config, mediaAccess } = context;

  app.get(
    '/v1/media/:server_name/:media_id',
    { schema: getMediaInfo, config: { policy: administrator } },
    async ({ params }) => {
      await mediaAccess.settle();
      const isOurs = params.server_name === config.serverName && isMediaId(params.media_id);
      const media = isOurs ? await findMedia(db, params.media_id) : undefined;
      if (!media) throw notFound('Unknown media');
      return { media_info: { ...asMediaItem(media), media_origin: null, filesystem_id: null } };
    },
  );

  app.delete(
    '/v1/media/:server_name/:media_id',
    { schema: deleteMedia, config: { policy: administrator } },
    async ({ params }) => {
      requireOurs(params.server_name, config.serverName);
      const deleted = isMediaId(params.media_id) ? await removeMedia(context, [params.media_id]) : [];
      if (deleted.length === 0) throw notFound('Unknown media');
      return { deleted_media: deleted, total: deleted.length };
    },
  );

  for (const path of ['/v1/media/delete', '/v1/media/:server_name/delete']) {
    app.post(
      path,
      { schema: deleteUnusedMedia, config: { policy: administrator } },
      async ({ params, query }) => {
        if (params.server_name !== undefined) requireOurs(params.server_name, config.serverName);
        await mediaAccess.settle();
        const deleted = await removeUnusedMedia(context, {
          before: requireMilliseconds(query.before_ts),
          largerThan: query.size_gt,
          keepProfiles: query.keep_profiles,
        });
        return { deleted_media: deleted, total: deleted.length };
      },
    );
  }

  // This server fetches nothing from others, so there is nothing of theirs to delete.
  app.post(
    '/v1/purge_media_cache',
    { schema: purgeMediaCache, config: { policy: administrator } },
    ({ query }) => {
      requireMilliseconds(query.before_ts);
      return { deleted: 0 };
    },
  );

  app.get(
    '/v1/room/:room_id/media',
    { schema: listRoomMedia, config: { policy: administrator } },
    async ({ params }) => {
      const [local, remote]: [string[], string[]] = [[], []];
      for (const { serverName, mediaId } of await roomMedia.listRoomMedia(db, params.room_id)) {
        (serverName === config.serverName ? local : remote).push(addressOf(serverName, mediaId));
      }
      return { local, remote };
    },
  );
};

/** An upload as administrators get it. */
export const asMediaItem = (media: Media): MediaItem => ({
  media_id: media.mediaId,
  user_id: media.userId,
  media_type: media.contentType,
  media_length: media.size,
  upload_name: media.uploadName,
  created_ts: media.createdTs,
  last_access_ts: media.lastAccessTs,
  url_cache: null,
  quarantined_by: media.quarantinedBy,
  safe_from_quarantine: media.safeFromQuarantine,
  authenticated: media.authenticated,
  sha256: media.sha256,
});

function requireOurs(serverName: string, ownName: string): void {
  if (serverName !== ownName) throw new MatrixError(400, 'M_UNKNOWN', 'Can only delete local media');
}

function requireMilliseconds(before: number): number {
  if (before >= earliestTime) return before;
  throw invalidParameter(
    'Query parameter before_ts you provided is from the year 1970. Double check that you are providing a timestamp in milliseconds.',
  );
}
