/** Totals of all media, summed over users: no server reports them. */
import { queryOptions } from '@tanstack/react-query';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import { mediaStatistics, type UserTotal } from '../../api/media.ts';
import { pageQuery } from '../../api/paging.ts';
import type { Server } from '../../transport/server.ts';
import { totalsFilterOf } from './media-search.ts';

export type MediaFigures = {
  bytes: number;
  files: number;
  uploaders: number;
  /** Whether smaller uploaders were left out. */
  isPartial: boolean;
  /** IDs of the users with the most bytes, largest first. */
  largest: string[];
};

const pageSize = 1000;
/** Uploaders beyond these have the least media. */
const maxUploaders = 10_000;

/** Sums the users' totals, largest first. Starts with the list's own first page. */
export const mediaFiguresQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'figures'],
    queryFn: async ({ client, signal }): Promise<MediaFigures> => {
      const source = mediaStatistics(server, totalsFilterOf({}));
      const { rows: first, total } = await client.fetchQuery(pageQuery(source, 0));
      const rows = [...first];
      while (rows.length < Math.min(total, maxUploaders)) {
        const page = await source.fetch(rows.length, pageSize, signal);
        if (page.rows.length === 0) break;
        rows.push(...page.rows);
      }
      return sumOf(rows, total);
    },
    staleTime: 60_000,
  });

export function sumOf(rows: readonly (UserTotal | UnexpectedEntry)[], total: number): MediaFigures {
  const users = rows.filter(isExpected);
  return {
    bytes: users.reduce((sum, { media_length }) => sum + media_length, 0),
    files: users.reduce((sum, { media_count }) => sum + media_count, 0),
    uploaders: total,
    isPartial: users.length < total,
    largest: users.slice(0, 20).map(({ user_id }) => user_id),
  };
}
