import { getMediaStatistics } from '../../shared/api/media-statistics.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { type MediaStatistics, readMediaStatistics } from './media-statistics-store.ts';

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
