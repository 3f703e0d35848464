import { getRoomBlock, putRoomBlock, type RoomBlock } from '../../shared/api/room-block.ts';
import type { Clock } from '../core/clock.ts';
import { requireRoomId } from '../core/identifiers.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { blockRoom, findRoomBlocker, unblockRoom } from '../rooms/room-block-store.ts';

export const roomBlockRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
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
};
