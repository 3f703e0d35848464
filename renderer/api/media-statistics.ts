/** Who uploaded how much. The reference homeserver's "Users' media usage statistics". */
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { getList, isExpected } from './lenient.ts';
import type { PagedSource } from './paging.ts';

const UserTotal = Type.Object({
  user_id: Type.String(),
  displayname: Type.Optional(Nullable(Type.String())),
  media_count: Type.Integer(),
  /** Null of who only has addresses that nothing was uploaded to yet. */
  media_length: Nullable(Type.Number({ description: 'Bytes' })),
});
export type UserTotal = Omit<Static<typeof UserTotal>, 'media_length'> & { media_length: number };

export type StatisticsFilter = {
  /** A part of a user's name. */
  search?: string | undefined;
  /** When it was uploaded, both ends included; in milliseconds since the Unix epoch. */
  from?: number | undefined;
  until?: number | undefined;
  order: 'user_id' | 'displayname' | 'media_length' | 'media_count';
  dir: 'f' | 'b';
};

/** Who uploaded how much; users without uploads aren't among them. */
export const mediaStatistics = (server: Server, filter: StatisticsFilter): PagedSource<UserTotal> => ({
  key: [server.id, 'media', 'by user', filter],
  async fetch(from, limit, signal) {
    const query = new URLSearchParams({
      from: String(from),
      limit: String(limit),
      order_by: filter.order,
      dir: filter.dir,
    });
    if (filter.search) query.set('search_term', filter.search);
    if (filter.from !== undefined) query.set('from_ts', String(filter.from));
    if (filter.until !== undefined) query.set('until_ts', String(filter.until));
    const path = `/v1/statistics/users/media?${query}`;
    const { rows, total } = await getList(server, UserTotal, 'users', path, { signal });
    return {
      rows: rows.map((user) => (isExpected(user) ? { ...user, media_length: user.media_length ?? 0 } : user)),
      total,
    };
  },
});
