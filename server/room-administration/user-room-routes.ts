import { getUserRooms } from '../../shared/api/user-rooms.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { listJoinedRooms } from '../rooms/membership-store.ts';

/** The rooms of a user, for administrators. */
export const userRoomRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/v1/users/:user_id/joined_rooms',
    { schema: getUserRooms, config: { policy: administrator } },
    async ({ params }) => {
      const rooms = await listJoinedRooms(db, params.user_id);
      return { joined_rooms: rooms, total: rooms.length };
    },
  );
};
