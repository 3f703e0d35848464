import { joinUserToRoom, makeRoomAdmin } from '../../shared/api/membership-administration.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from '../rooms/append-events.ts';
import { resolveRoom } from '../rooms/membership.ts';
import * as administration from './membership-administration.ts';

/** Who is in a room, and who rules it, as administrators of the server change it. */
export const membershipAdministrationRoutes: Routes<RoomContext & { db: Database }> = (app, services) => {
  const { db } = services;

  app.post(
    '/v1/rooms/:room_id_or_alias/make_room_admin',
    { schema: makeRoomAdmin, config: { policy: administrator } },
    ({ params, body, requester }) => {
      const { user_id: userId = requester.userId } = body;
      return inTransaction(db, async (tx) => {
        const roomId = await resolveRoom(tx, params.room_id_or_alias);
        await administration.makeRoomAdministrator(tx, services, roomId, userId);
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
        await administration.joinUserToRoom(tx, services, room_id, body.user_id, requester.userId);
        return { room_id };
      }),
  );
};
