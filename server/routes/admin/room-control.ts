import {
  getRoomBlock,
  joinUserToRoom,
  makeRoomAdmin,
  putRoomBlock,
  type RoomBlock,
} from '../../../shared/api/admin-rooms.ts';
import { badJson, MatrixError } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { isRoomId } from '../../rooms/identifiers.ts';
import { resolveRoom } from '../../rooms/membership.ts';
import * as administrators from '../../rooms/room-administrators.ts';
import { blockRoom, findRoomBlocker, unblockRoom } from '../../storage/rooms.ts';

export const roomControlRoutes: Routes = (app, services) => {
  const { db, clock } = services;

  app.get('/v1/rooms/:room_id/block', { schema: getRoomBlock }, async ({ params }): Promise<RoomBlock> => {
    const blocker = await findRoomBlocker(db, requireRoomId(params.room_id));
    return blocker === undefined ? { block: false } : { block: true, user_id: blocker };
  });

  app.put('/v1/rooms/:room_id/block', { schema: putRoomBlock }, async ({ params, body, requester }) => {
    const roomId = requireRoomId(params.room_id);
    if (body.block) await blockRoom(db, roomId, requester.userId, clock.now());
    else await unblockRoom(db, roomId);
    return { block: body.block };
  });

  app.post(
    '/v1/rooms/:room_id_or_alias/make_room_admin',
    { schema: makeRoomAdmin },
    ({ params, body, requester }) => {
      const userId = userIn(body) ?? requester.userId;
      return db.transaction().execute(async (transaction) => {
        const roomId = await resolveRoom(transaction, params.room_id_or_alias);
        await administrators.makeRoomAdministrator(transaction, services, roomId, userId);
        return {};
      });
    },
  );

  app.post('/v1/join/:room_id_or_alias', { schema: joinUserToRoom }, ({ params, body, requester }) =>
    db.transaction().execute(async (transaction) => {
      const room_id = await resolveRoom(transaction, params.room_id_or_alias);
      await administrators.joinUserToRoom(transaction, services, room_id, body.user_id, requester.userId);
      return { room_id };
    }),
  );
};

/** The user that a body names, which may be missing. */
function userIn(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== 'object' || Array.isArray(body)) throw badJson('Content must be a JSON object.');
  const { user_id: userId } = body as Record<string, unknown>;
  if (userId === undefined || typeof userId === 'string') return userId;
  throw badJson("'user_id' must be string");
}

function requireRoomId(text: string): string {
  if (!isRoomId(text)) throw new MatrixError(400, 'M_UNKNOWN', `${text} is not a legal room ID`);
  return text;
}
