/** What users uploaded. The reference homeserver's "User Admin API" and "Users' media usage statistics". */
import { type Static, type TLiteral, Type } from 'typebox';
import { failures, Nullable } from './common.ts';
import { DeletedMedia, MediaItem } from './media-administration.ts';

/** A page holds this many at most, whatever `limit` asks for. */
export const maximumMediaPerPage = 1000;

const oneOf = <Name extends string>(names: readonly Name[], whereLeftOut?: Name) =>
  Type.Union(
    names.map((name) => Type.Literal(name)) as TLiteral<Name>[],
    whereLeftOut === undefined ? {} : { default: whereLeftOut },
  );

const mediaOrders = [
  'media_id',
  'upload_name',
  'created_ts',
  'last_access_ts',
  'media_length',
  'media_type',
  'quarantined_by',
  'safe_from_quarantine',
] as const;

const page = {
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
};

/** Without an order the newest stand first; with one, and no direction, the smallest. */
export const UserMediaQuery = Type.Object({
  ...page,
  order_by: Type.Optional(oneOf(mediaOrders)),
  dir: Type.Optional(oneOf(['b', 'f'])),
});
export type UserMediaQuery = Static<typeof UserMediaQuery>;

export const UserMediaPage = Type.Object({
  media: Type.Array(MediaItem),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when there are more' })),
  total: Type.Integer(),
});
export type UserMediaPage = Static<typeof UserMediaPage>;

const params = Type.Object({ user_id: Type.String() });

/** `GET …/v1/users/{user_id}/media`. */
export const listUserMedia = {
  params,
  querystring: UserMediaQuery,
  response: { 200: UserMediaPage, ...failures },
};

/** `DELETE …/v1/users/{user_id}/media`: the page that the same query would list. */
export const deleteUserMedia = {
  params,
  querystring: UserMediaQuery,
  response: { 200: DeletedMedia, ...failures },
};

export const MediaStatisticsOrder = oneOf(
  ['user_id', 'displayname', 'media_length', 'media_count'],
  'user_id',
);
export type MediaStatisticsOrder = Static<typeof MediaStatisticsOrder>;

export const MediaStatisticsQuery = Type.Object({
  ...page,
  order_by: MediaStatisticsOrder,
  dir: oneOf(['b', 'f'], 'f'),
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
  next_token: Type.Optional(Type.Integer({ description: 'Present only when there are more' })),
  total: Type.Integer({ description: 'How many users match' }),
});
export type MediaStatisticsPage = Static<typeof MediaStatisticsPage>;

/** `GET …/v1/statistics/users/media`. */
export const getMediaStatistics = {
  querystring: MediaStatisticsQuery,
  response: { 200: MediaStatisticsPage, ...failures },
};
