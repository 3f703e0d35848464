/** Keeping media away from users. The reference homeserver's "Media Admin API". */
import { Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';

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
