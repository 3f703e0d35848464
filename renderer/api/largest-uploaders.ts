/** Who uploaded how much. The reference homeserver's "Users' media usage statistics". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';

const Uploaders = Type.Object({
  users: Type.Array(
    Type.Object({
      user_id: Type.String(),
      displayname: Type.Optional(Nullable(Type.String())),
      media_count: Type.Number(),
      media_length: Type.Number({ description: 'Bytes' }),
    }),
  ),
  total: Type.Integer(),
});

export const largestUploadersQuery = (server: Server, count: number) =>
  queryOptions({
    queryKey: [server.id, 'largest-uploaders', count],
    queryFn: ({ signal }) =>
      server.get(Uploaders, `/v1/statistics/users/media?order_by=media_length&dir=b&limit=${count}`, {
        signal,
      }),
    staleTime: 5 * 60_000,
  });
