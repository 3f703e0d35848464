import { sql } from 'kysely';
import type { MediaStatisticsOrder } from '../../../shared/api/media-administration.ts';
import { maximumMediaPerPage } from '../../../shared/api/media-administration.ts';
import { contains, localpartContains } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';

export type MediaStatistics = {
  userId: string;
  displayName: string | null;
  mediaCount: number;
  /** In bytes. */
  mediaLength: number;
};

export type MediaStatisticsQuery = {
  from: number;
  limit: number;
  orderBy: MediaStatisticsOrder;
  direction: 'f' | 'b';
  /** Range of upload times, inclusive, in milliseconds since the Unix epoch. */
  fromTs?: number | undefined;
  untilTs?: number | undefined;
  /** A substring of the localpart or display name. */
  search?: string | undefined;
};

/**
 * Returns a page of the users with uploads, and the total. Without a time range and a search, it reads counters and
 * indexes, unless ordered by display name.
 */
export async function readMediaStatistics(
  db: Database,
  query: MediaStatisticsQuery,
): Promise<{ users: MediaStatistics[]; total: number }> {
  const matching = matchingUsers(db, query);
  const isUnfiltered = [query.fromTs, query.untilTs, query.search].every((filter) => filter === undefined);
  const total = isUnfiltered ? await countUploaders(db) : await countRows(db, matching);
  const rows = await db
    .selectFrom(matching.as('matching'))
    .select(['user_id', 'displayname', 'media_count', 'media_length'])
    .orderBy(query.orderBy, (order) => {
      const directed = query.direction === 'b' ? order.desc() : order.asc();
      if (query.orderBy !== 'displayname') return directed;
      // Database engines order nulls differently. The other columns have none, and an index without nulls first or last.
      return query.direction === 'b' ? directed.nullsLast() : directed.nullsFirst();
    })
    .orderBy('user_id')
    .limit(Math.min(query.limit, maximumMediaPerPage))
    .offset(query.from)
    .execute();
  const users = rows.map((row) => ({
    userId: row.user_id,
    displayName: row.displayname,
    mediaCount: row.media_count,
    mediaLength: row.media_length,
  }));
  return { users, total };
}

async function countUploaders(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('media_uploaders')
    .select(sql<number>`cast(sum(total) as bigint)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function countRows(db: Database, matching: ReturnType<typeof matchingUsers>): Promise<number> {
  const { total } = await db
    .selectFrom(matching.as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function matchingUsers(db: Database, { fromTs, untilTs, search }: MediaStatisticsQuery) {
  let matching = db
    .selectFrom(
      fromTs === undefined && untilTs === undefined ? allTotals(db) : totalsWithin(db, fromTs, untilTs),
    )
    .leftJoin('users', 'users.user_id', 'totals.user_id')
    .select([
      'totals.user_id',
      'users.display_name as displayname',
      'totals.media_count',
      'totals.media_length',
    ]);
  if (search !== undefined) {
    matching = matching.where(({ or, ref }) =>
      or([
        localpartContains(ref('totals.user_id'), '@', search),
        contains(ref('users.display_name'), search),
      ]),
    );
  }
  return matching;
}

const allTotals = (db: Database) =>
  db
    .selectFrom('media_totals')
    .select(['user_id', 'media_count', 'media_length'])
    // Verbatim the condition of the partial indexes.
    .where(sql<boolean>`+media_count > 0`)
    .as('totals');

function totalsWithin(db: Database, from: number | undefined, until: number | undefined) {
  let media = db
    .selectFrom('media')
    .select(({ fn }) => [
      'user_id',
      fn.countAll<number>().as('media_count'),
      fn.sum<number>('size').as('media_length'),
    ]);
  if (from !== undefined) media = media.where('created_ts', '>=', from);
  if (until !== undefined) media = media.where('created_ts', '<=', until);
  return media.groupBy('user_id').as('totals');
}
