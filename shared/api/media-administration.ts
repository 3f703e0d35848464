/** Looking after uploads. The reference homeserver's "Media Admin API". */
import { type Static, Type } from 'typebox';
import { failures, Nullable, Timestamp } from './common.ts';

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

export const MediaInfo = Type.Object({
  ...mediaFields,
  media_origin: Type.Null({ description: 'Always null: local media' }),
  filesystem_id: Type.Null(),
});
export type MediaInfo = Static<typeof MediaInfo>;

const one = Type.Object({ server_name: Type.String(), media_id: Type.String() });

/** `GET …/v1/media/{server_name}/{media_id}`. */
export const getMediaInfo = {
  params: one,
  response: { 200: Type.Object({ media_info: MediaInfo }), ...failures },
};

/** What a deletion deleted. */
export const DeletedMedia = Type.Object({
  deleted_media: Type.Array(Type.String()),
  total: Type.Integer(),
});
export type DeletedMedia = Static<typeof DeletedMedia>;

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

/** `GET …/v1/room/{room_id}/media`: the addresses that a room's events name. */
export const listRoomMedia = {
  params: Type.Object({ room_id: Type.String() }),
  response: {
    200: Type.Object({ local: Type.Array(Type.String()), remote: Type.Array(Type.String()) }),
    ...failures,
  },
};
