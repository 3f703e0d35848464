import {
  getRoomBlock,
  joinUserToRoom,
  makeRoomAdmin,
  putRoomBlock,
  type RoomBlock,
} from '../../shared/api/admin-rooms.ts';
import { requireRoomId } from '../core/identifiers.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from '../rooms/append-events.ts';
import { resolveRoom } from '../rooms/membership.ts';
import { blockRoom, findRoomBlocker, unblockRoom } from '../rooms/room-store.ts';
import * as administrators from './room-administrators.ts';

export const roomControlRoutes: Routes<RoomContext & { db: Database }> = (app, services) => {
  const { db, clock } = services;

  app.get(
    '/v1/rooms/:room_id/block',
    { schema: getRoomBlock, config: { policy: administrator } },
    async ({ params }): Promise<RoomBlock> => {
      const blocker = await findRoomBlocker(db, requireRoomId(params.room_id));
      return blocker === undefined ? { block: false } : { block: true, user_id: blocker };
    },
  );

  app.put(
    '/v1/rooms/:room_id/block',
    { schema: putRoomBlock, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const roomId = requireRoomId(params.room_id);
      if (body.block) await blockRoom(db, roomId, requester.userId, clock.now());
      else await unblockRoom(db, roomId);
      return { block: body.block };
    },
  );

  app.post(
    '/v1/rooms/:room_id_or_alias/make_room_admin',
    { schema: makeRoomAdmin, config: { policy: administrator } },
    ({ params, body, requester }) => {
      const { user_id: userId = requester.userId } = body;
      return inTransaction(db, async (tx) => {
        const roomId = await resolveRoom(tx, params.room_id_or_alias);
        await administrators.makeRoomAdministrator(tx, services, roomId, userId);
        return {};
      });
    },
  );

  app.post(
    '/v1/join/:room_id_or_alias',
    { schema: joinUserToRoom, config: { policy: administrator } },
    ({ params, body, requester }) =>
      inTransaction(db, async (tx) => {
        const room_id = await resolveRoom(tx, params.room_id_or_alias);
        await administrators.joinUserToRoom(tx, services, room_id, body.user_id, requester.userId);
        return { room_id };
      }),
  );
};
