import { getRoom, listRooms } from '../../shared/api/admin-rooms.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import * as rooms from './room-list-store.ts';

export const roomListRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/v1/rooms', { schema: listRooms, config: { policy: administrator } }, ({ query }) =>
    rooms.listRooms(db, query),
  );

  app.get(
    '/v1/rooms/:room_id',
    { schema: getRoom, config: { policy: administrator } },
    async ({ params }) => {
      const room = await rooms.findRoomDetail(db, params.room_id);
      if (!room) throw notFound('Room not found');
      return room;
    },
  );
};
