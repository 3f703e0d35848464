import { getFilter, postFilter } from '../../shared/api/filters.ts';
import { changingOwn, readingOwn } from '../accounts/own-data-policy.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { Routes } from '../http/routes.ts';
import { findFilter, keepFilter } from './filter-store.ts';
import { requireSmall } from './requested-filter.ts';

export const filterRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.post(
    '/user/:userId/filter',
    { schema: postFilter, config: { policy: changingOwn('create filters') } },
    async ({ params, body }) => {
      requireSmall(JSON.stringify(body));
      return { filter_id: await keepFilter(db, params.userId, body) };
    },
  );

  app.get(
    '/user/:userId/filter/:filterId',
    { schema: getFilter, config: { policy: readingOwn('get filters') } },
    async ({ params }) => {
      const filter = await findFilter(db, params.userId, params.filterId);
      if (!filter) throw notFound('No such filter');
      return filter;
    },
  );
};
