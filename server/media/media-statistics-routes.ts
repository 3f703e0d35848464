import { getMediaStatistics } from '../../shared/api/user-media.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { readMediaStatistics } from './media-statistics-store.ts';

export const mediaStatisticsRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/v1/statistics/users/media',
    { schema: getMediaStatistics, config: { policy: administrator } },
    ({ query }) => {
      const { from_ts = 0, until_ts = Number.POSITIVE_INFINITY } = query;
      if (until_ts <= from_ts)
        throw invalidParameter('Query parameter until_ts must be greater than from_ts.');
      return readMediaStatistics(db, query);
    },
  );
};
