import {
  getRoomBlock,
  joinUserToRoom,
  makeRoomAdmin,
  putRoomBlock,
  type RoomBlock,
} from '../../../shared/api/admin-rooms.ts';
import type { Routes } from '../../http/routes.ts';
import { requireRoomId } from '../../rooms/identifiers.ts';
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
      const { user_id: userId = requester.userId } = body;
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
