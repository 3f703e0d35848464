/** Looking after uploads. The reference homeserver's "Media Admin API". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from './common.ts';

const mediaFields = {
  media_id: Type.String(),
  user_id: Type.String({ description: 'Who uploaded it' }),
  media_type: Type.String(),
  media_length: Type.Integer({ description: 'Bytes' }),
  upload_name: Nullable(Type.String()),
  created_ts: Timestamp,
  last_access_ts: Nullable(Timestamp),
  url_cache: Type.Null({ description: 'Previews of addresses are off' }),
  quarantined_by: Nullable(Type.String()),
  safe_from_quarantine: Type.Boolean(),
  authenticated: Type.Boolean({ description: 'Whether only signed-in users get it' }),
  sha256: Nullable(Type.String({ description: 'Hexadecimal' })),
};

/** An upload in a list of uploads. */
export const MediaItem = Type.Object(mediaFields);
export type MediaItem = Static<typeof MediaItem>;

export const MediaInfo = Type.Object({
  ...mediaFields,
  media_origin: Type.Null({ description: 'It was uploaded here' }),
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
      description: 'Last used before; milliseconds since the Unix epoch',
    }),
    size_gt: Type.Integer({ minimum: 0, default: 0, description: 'Larger than this, in bytes' }),
    keep_profiles: Type.Boolean({ default: true, description: 'Spares pictures of users and rooms' }),
  }),
  response: { 200: DeletedMedia, ...failures },
};

/** `POST …/v1/purge_media_cache`. */
export const purgeMediaCache = {
  querystring: Type.Object({ before_ts: Type.Integer({ minimum: 0 }) }),
  response: { 200: Type.Object({ deleted: Type.Integer() }), ...failures },
};

const ofRoom = Type.Object({ room_id: Type.String() });

/** `GET …/v1/room/{room_id}/media`: the addresses that a room's events name. */
export const listRoomMedia = {
  params: ofRoom,
  response: {
    200: Type.Object({ local: Type.Array(Type.String()), remote: Type.Array(Type.String()) }),
    ...failures,
  },
};

/** `POST …/v1/media/quarantine/{server_name}/{media_id}`, and `unquarantine`. */
export const quarantineMedia = { params: one, response: { 200: EmptyObject, ...failures } };

/** `POST …/v1/media/protect/{media_id}`, and `unprotect`. */
export const protectMedia = {
  params: Type.Object({ media_id: Type.String() }),
  response: { 200: EmptyObject, ...failures },
};

const quarantined = { 200: Type.Object({ num_quarantined: Type.Integer() }), ...failures };

/** `POST …/v1/room/{room_id}/media/quarantine`, and the older `…/v1/quarantine_media/{room_id}`. */
export const quarantineRoomMedia = { params: ofRoom, response: quarantined };

/** `POST …/v1/user/{user_id}/media/quarantine`. */
export const quarantineUserMedia = {
  params: Type.Object({ user_id: Type.String() }),
  response: quarantined,
};

/** How many changes `GET …/v1/media/quarantine_changes` gives at once. */
export const quarantineChangesPerPage = 100;

/** `GET …/v1/media/quarantine_changes`: what was quarantined and released, oldest first. */
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
