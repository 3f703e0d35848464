/** Local media. Synapse's "Media Admin API". */
import { type Static, type TLiteral, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from './common.ts';

const mediaFields = {
  media_id: Type.String(),
  user_id: Type.String({ description: 'Uploader' }),
  media_type: Type.String(),
  media_length: Type.Integer({ description: 'Bytes' }),
  upload_name: Nullable(Type.String()),
  created_ts: Timestamp,
  last_access_ts: Nullable(Timestamp),
  url_cache: Type.Null({ description: 'Always null: the server has no URL preview cache' }),
  quarantined_by: Nullable(Type.String()),
  safe_from_quarantine: Type.Boolean(),
  authenticated: Type.Boolean({ description: 'Requires an access token to download' }),
  sha256: Nullable(Type.String({ description: 'Hexadecimal' })),
};

/** An upload in a list of uploads. */
export const MediaItem = Type.Object(mediaFields);
export type MediaItem = Static<typeof MediaItem>;

const MediaInfo = Type.Object({
  ...mediaFields,
  media_origin: Type.Null({ description: 'Always null: local media' }),
  filesystem_id: Type.Null(),
});

const one = Type.Object({ server_name: Type.String(), media_id: Type.String() });

/** `GET …/v1/media/{server_name}/{media_id}`. */
export const getMediaInfo = {
  params: one,
  response: { 200: Type.Object({ media_info: MediaInfo }), ...failures },
};

/** The deleted media. */
const DeletedMedia = Type.Object({
  deleted_media: Type.Array(Type.String()),
  total: Type.Integer(),
});

/** `DELETE …/v1/media/{server_name}/{media_id}`. */
export const deleteMedia = { params: one, response: { 200: DeletedMedia, ...failures } };

/** `POST …/v1/media/delete`, and the deprecated `POST …/v1/media/{server_name}/delete`. */
export const deleteUnusedMedia = {
  params: Type.Object({ server_name: Type.Optional(Type.String()) }),
  querystring: Type.Object({
    before_ts: Type.Integer({
      minimum: 0,
      description: 'Last access before this time, in milliseconds since the Unix epoch',
    }),
    size_gt: Type.Integer({ minimum: 0, default: 0, description: 'Minimum size in bytes, exclusive' }),
    keep_profiles: Type.Boolean({ default: true, description: 'Keep user and room avatars' }),
  }),
  response: { 200: DeletedMedia, ...failures },
};

/** `POST …/v1/purge_media_cache`. */
export const purgeMediaCache = {
  querystring: Type.Object({ before_ts: Type.Integer({ minimum: 0 }) }),
  response: { 200: Type.Object({ deleted: Type.Integer() }), ...failures },
};

/** `GET …/v1/room/{room_id}/media`: mxc URIs in a room's events. */
export const listRoomMedia = {
  params: Type.Object({ room_id: Type.String() }),
  response: {
    200: Type.Object({ local: Type.Array(Type.String()), remote: Type.Array(Type.String()) }),
    ...failures,
  },
};

/** Number and size of each user's uploads. Synapse's "Users' media usage statistics". */

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

const MediaStatisticsQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  order_by: MediaStatisticsOrder,
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'f' }),
  from_ts: Type.Optional(Type.Integer({ minimum: 0 })),
  until_ts: Type.Optional(Type.Integer({ minimum: 0 })),
  search_term: Type.Optional(Type.String({ minLength: 1 })),
});

const MediaStatisticsPage = Type.Object({
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

/** `GET …/v1/statistics/users/media`. */
export const getMediaStatistics = {
  querystring: MediaStatisticsQuery,
  response: { 200: MediaStatisticsPage, ...failures },
};

/** Media of users. Synapse's "User Admin API". */

/** Maximum number per page. */
export const maximumMediaPerPage = 1000;

const oneOf = <Name extends string>(names: readonly Name[]) =>
  Type.Union(names.map((name) => Type.Literal(name)) as TLiteral<Name>[]);

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

/** Default order: newest first; with an order, ascending. */
export const UserMediaQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  order_by: Type.Optional(oneOf(mediaOrders)),
  dir: Type.Optional(oneOf(['b', 'f'])),
});
export type UserMediaQuery = Static<typeof UserMediaQuery>;

const UserMediaPage = Type.Object({
  media: Type.Array(MediaItem),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
  total: Type.Integer(),
});

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

/** Quarantine. Synapse's "Media Admin API". */

/** `POST …/v1/media/quarantine/{server_name}/{media_id}`, and `unquarantine`. */
export const quarantineMedia = {
  params: Type.Object({ server_name: Type.String(), media_id: Type.String() }),
  response: { 200: EmptyObject, ...failures },
};

/** `POST …/v1/media/protect/{media_id}`, and `unprotect`. */
export const protectMedia = {
  params: Type.Object({ media_id: Type.String() }),
  response: { 200: EmptyObject, ...failures },
};

const quarantined = { 200: Type.Object({ num_quarantined: Type.Integer() }), ...failures };

/** `POST …/v1/room/{room_id}/media/quarantine`, and the older `…/v1/quarantine_media/{room_id}`. */
export const quarantineRoomMedia = { params: Type.Object({ room_id: Type.String() }), response: quarantined };

/** `POST …/v1/user/{user_id}/media/quarantine`. */
export const quarantineUserMedia = {
  params: Type.Object({ user_id: Type.String() }),
  response: quarantined,
};

/** Number of changes per page of `GET …/v1/media/quarantine_changes`. */
export const quarantineChangesPerPage = 100;

/** `GET …/v1/media/quarantine_changes`: media that was quarantined or released, oldest first. */
export const listQuarantineChanges = {
  querystring: Type.Object({ from: Type.Integer({ minimum: 0, default: 0 }) }),
  response: {
    200: Type.Object({
      next_batch: Type.Integer(),
      changes: Type.Array(
        Type.Object({ origin: Type.String(), media_id: Type.String(), quarantined: Type.Boolean() }),
      ),
    }),
    ...failures,
  },
};
