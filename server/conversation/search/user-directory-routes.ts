import { searchUsers } from '../../../shared/api/search.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { findUsersByName } from './user-search-store.ts';

const maximumUsers = 50;
const searching: UserPolicy = {
  ...user,
  concurrency: { name: 'search', perUser: 4, refusal: 'Too many concurrent searches' },
};

/** People, as far as a user may find them. */
export const userDirectoryRoutes: Routes<{ db: Database; config: Pick<Config, 'userDirectory'> }> = (
  app,
  { db, config },
) => {
  app.post(
    '/user_directory/search',
    { schema: searchUsers, config: { policy: searching } },
    async ({ body, requester }) => {
      const { isOn, findsAll } = config.userDirectory;
      const limit = Math.min(Math.max(body.limit, 0), maximumUsers);
      const term = body.search_term.replace(/^@/, '').replace(/:.*$/s, '').slice(0, 255);
      if (!isOn || term === '') return { limited: false, results: [] };
      const found = await findUsersByName(db, {
        ...{ term, userId: requester.userId, findsAll },
        limit: limit + 1,
      });
      return {
        limited: found.length > limit,
        results: found.slice(0, limit).map(({ userId, displayName, avatarUrl }) => ({
          user_id: userId,
          display_name: displayName,
          avatar_url: avatarUrl,
        })),
      };
    },
  );
};
