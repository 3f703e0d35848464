import {
  deleteUserMedia,
  getMediaStatistics,
  listUserMedia,
} from '../../../shared/api/media-administration.ts';
import { invalidParameter } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { MediaAccess } from './media-access.ts';
import { asMediaItem } from './media-administration-routes.ts';
import { type MediaStatistics, readMediaStatistics } from './media-statistics-store.ts';
import type { MediaContext } from './upload.ts';
import * as userMedia from './user-media.ts';

export const mediaStatisticsRoutes: Routes<{ db: Database }> = (app, { db }) => {
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

const asUser = ({ userId, displayName, mediaCount, mediaLength }: MediaStatistics) => ({
  user_id: userId,
  displayname: displayName,
  media_count: mediaCount,
  media_length: mediaLength,
});

/** Interface: "Other endpoints that are referenced", "DELETE …/users/{userId}/media". */
export const userMediaRoutes: Routes<MediaContext & { mediaAccess: MediaAccess }> = (app, context) => {
  app.get(
    '/v1/users/:user_id/media',
    { schema: listUserMedia, config: { policy: administrator } },
    async ({ params, query }) => {
      await context.mediaAccess.settle();
      const { media, total } = await userMedia.readUserMedia(context, params.user_id, query);
      const next = query.from + media.length;
      return { media: media.map(asMediaItem), total, ...(next < total && { next_token: next }) };
    },
  );

  app.delete(
    '/v1/users/:user_id/media',
    { schema: deleteUserMedia, config: { policy: administrator } },
    async ({ params, query }) => {
      await context.mediaAccess.settle();
      const deleted = await userMedia.deleteUserMedia(context, params.user_id, query);
      return { deleted_media: deleted, total: deleted.length };
    },
  );
};
