/** What users of this server uploaded. The reference homeserver's "List media uploaded by a user". */
import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { getList, type UnexpectedEntry } from './lenient.ts';
import { Medium } from './media.ts';
import type { PagedSource } from './paging.ts';

export type UserMediaOrder =
  | 'upload_name'
  | 'created_ts'
  | 'last_access_ts'
  | 'media_length'
  | 'media_type'
  | 'quarantined_by'
  | 'safe_from_quarantine';

type UserMediaPage = { order: UserMediaOrder; dir: 'f' | 'b'; from: number; limit: number };

export function userMediaPage(
  server: Server,
  userId: string,
  { order, dir, from, limit }: UserMediaPage,
  signal?: AbortSignal,
) {
  const query = new URLSearchParams({ order_by: order, dir, from: String(from), limit: String(limit) });
  const path = `/v1/users/${encodeURIComponent(userId)}/media?${query}`;
  return getList(server, Medium, 'media', path, { signal });
}

/** Everything that a user uploaded. */
export const userMediaList = (
  server: Server,
  userId: string,
  sort: { order: UserMediaOrder; dir: 'f' | 'b' },
): PagedSource<Medium> => ({
  key: [server.id, 'media', userId, sort],
  fetch: (from, limit, signal) => userMediaPage(server, userId, { ...sort, from, limit }, signal),
});

const atOnce = 500;
/** More than that is not looked through for a filter: 40 requests. */
export const mostLookedThrough = 20_000;

/** What a user uploaded, newest first and as much of it as is looked through, for what the server can't filter. */
export const allUserMediaQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'media', userId, 'all'],
    queryFn: async ({ signal }) => {
      const media: (Medium | UnexpectedEntry)[] = [];
      for (;;) {
        const page = await userMediaPage(
          server,
          userId,
          { order: 'created_ts', dir: 'b', from: media.length, limit: atOnce },
          signal,
        );
        media.push(...page.rows);
        const isAll = page.rows.length === 0 || media.length >= page.total;
        if (isAll || media.length >= mostLookedThrough) return { media, total: page.total };
      }
    },
    staleTime: 60_000,
  });
