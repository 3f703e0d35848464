import {
  deleteMedia,
  deleteUnusedMedia,
  deleteUserMedia as deleteUserMediaSchema,
  getMediaInfo,
  getMediaStatistics,
  listRoomMedia as listRoomMediaSchema,
  listUserMedia as listUserMediaSchema,
  type MediaItem,
  maximumMediaPerPage,
  purgeMediaCache,
  type UserMediaQuery,
} from '../../../shared/api/media-administration.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { requireLocalUser } from '../accounts/user-administration.ts';
import { removeMedia, removeUnusedMedia, removeUserMedia } from './delete-media.ts';
import type { MediaAccess } from './download.ts';
import { addressOf, isMediaId } from './media-address.ts';
import { type MediaStatistics, readMediaStatistics } from './media-statistics-store.ts';
import { countUserMedia, findMedia, listUserMedia, type Media } from './media-store.ts';
import { listRoomMedia } from './room-media-store.ts';
import type { MediaContext } from './upload.ts';

/** Earlier times are probably in seconds: 1 January 1971, in milliseconds. */
const earliestTime = 365 * 24 * 60 * 60 * 1000;

/** Media for administrators, except quarantine. */
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
      const isLocal = params.server_name === config.serverName && isMediaId(params.media_id);
      const media = isLocal ? await findMedia(db, params.media_id) : undefined;
      if (!media) throw notFound('Unknown media');
      return { media_info: { ...asMediaItem(media), media_origin: null, filesystem_id: null } };
    },
  );

  app.delete(
    '/v1/media/:server_name/:media_id',
    { schema: deleteMedia, config: { policy: administrator } },
    async ({ params }) => {
      requireLocal(params.server_name, config.serverName);
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
        if (params.server_name !== undefined) requireLocal(params.server_name, config.serverName);
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

  // This server doesn't federate, so it has no remote media.
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
    { schema: listRoomMediaSchema, config: { policy: administrator } },
    async ({ params }) => {
      const [local, remote]: [string[], string[]] = [[], []];
      for (const { serverName, mediaId } of await listRoomMedia(db, params.room_id)) {
        (serverName === config.serverName ? local : remote).push(addressOf(serverName, mediaId));
      }
      return { local, remote };
    },
  );

  app.get(
    '/v1/users/:user_id/media',
    { schema: listUserMediaSchema, config: { policy: administrator } },
    async ({ params: { user_id: userId }, query }) => {
      await mediaAccess.settle();
      await requireLocalUser(context, userId);
      const total = await countUserMedia(db, userId);
      const media = query.from < total ? await listUserMedia(db, userId, pageOf(query)) : [];
      const next = query.from + media.length;
      return { media: media.map(asMediaItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.delete(
    '/v1/users/:user_id/media',
    { schema: deleteUserMediaSchema, config: { policy: administrator } },
    async ({ params: { user_id: userId }, query }) => {
      await mediaAccess.settle();
      await requireLocalUser(context, userId);
      const deleted = await removeUserMedia(context, userId, pageOf(query));
      return { deleted_media: deleted, total: deleted.length };
    },
  );

  app.get(
    '/v1/statistics/users/media',
    { schema: getMediaStatistics, config: { policy: administrator } },
    async ({ query }) => {
      const { from_ts = 0, until_ts = Number.POSITIVE_INFINITY } = query;
      if (until_ts <= from_ts)
        throw invalidParameter('Query parameter until_ts must be greater than from_ts.');
      const { users, total } = await readMediaStatistics(db, {
        from: query.from,
        limit: query.limit,
        orderBy: query.order_by,
        direction: query.dir,
        fromTs: query.from_ts,
        untilTs: query.until_ts,
        search: query.search_term,
      });
      const next = query.from + users.length;
      return { users: users.map(asUser), total, ...(next < total && { next_token: next }) };
    },
  );
};

const asMediaItem = (media: Media): MediaItem => ({
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

function requireLocal(serverName: string, localName: string): void {
  if (serverName !== localName) throw new MatrixError(400, 'M_UNKNOWN', 'Can only delete local media');
}

function requireMilliseconds(before: number): number {
  if (before >= earliestTime) return before;
  throw invalidParameter(
    'Query parameter before_ts you provided is from the year 1970. Double check that you are providing a timestamp in milliseconds.',
  );
}

const asUser = ({ userId, displayName, mediaCount, mediaLength }: MediaStatistics) => ({
  user_id: userId,
  displayname: displayName,
  media_count: mediaCount,
  media_length: mediaLength,
});

function pageOf({ from, limit, order_by, dir }: UserMediaQuery) {
  return {
    from,
    limit: Math.min(limit, maximumMediaPerPage),
    orderBy: order_by ?? 'created_ts',
    direction: dir ?? (order_by === undefined ? 'b' : 'f'),
  } as const;
}
