/** How much each user uploaded. The reference homeserver's "Users' media usage statistics". */
import { type Static, Type } from 'typebox';
import { failures, Nullable } from './common.ts';

export const MediaStatisticsOrder = Type.Union(
  [
    Type.Literal('user_id'),
    Type.Literal('displayname'),
    Type.Literal('media_length'),
    Type.Literal('media_count'),
  ],
  { default: 'user_id' },
);
export type MediaStatisticsOrder = Static<typeof MediaStatisticsOrder>;

export const MediaStatisticsQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  order_by: MediaStatisticsOrder,
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'f' }),
  from_ts: Type.Optional(Type.Integer({ minimum: 0 })),
  until_ts: Type.Optional(Type.Integer({ minimum: 0 })),
  search_term: Type.Optional(Type.String({ minLength: 1 })),
});
export type MediaStatisticsQuery = Static<typeof MediaStatisticsQuery>;

export const MediaStatisticsPage = Type.Object({
  users: Type.Array(
    Type.Object({
      user_id: Type.String(),
      displayname: Nullable(Type.String()),
      media_count: Type.Integer(),
      media_length: Type.Integer({ description: 'Bytes' }),
    }),
  ),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
  total: Type.Integer({ description: 'Number of matching users' }),
});
export type MediaStatisticsPage = Static<typeof MediaStatisticsPage>;

/** `GET …/v1/statistics/users/media`. */
export const getMediaStatistics = {
  querystring: MediaStatisticsQuery,
  response: { 200: MediaStatisticsPage, ...failures },
};
