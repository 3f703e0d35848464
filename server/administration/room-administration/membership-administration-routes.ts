import { joinUserToRoom, makeRoomAdmin } from '../../../shared/api/room-administration.ts';
import { type AliasContext, resolveRoom } from '../../conversation/rooms/directory/aliases.ts';
import type { RoomContext } from '../../conversation/rooms/events/append-events.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import * as administration from './membership-administration.ts';

/** Synapse's "make room admin" and "edit room membership" APIs. */
export const membershipAdministrationRoutes: Routes<RoomContext & AliasContext> = (app, context) => {
  app.post(
    '/v1/rooms/:room_id_or_alias/make_room_admin',
    { schema: makeRoomAdmin, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const roomId = await resolveRoom(context, params.room_id_or_alias, requester.userId);
      await administration.makeRoomAdministrator(context, roomId, body.user_id ?? requester.userId);
      return {};
    },
  );

  app.post(
    '/v1/join/:room_id_or_alias',
    { schema: joinUserToRoom, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const room_id = await resolveRoom(context, params.room_id_or_alias, requester.userId);
      await administration.joinUserToRoom(context, room_id, body.user_id, requester.userId);
      return { room_id };
    },
  );
};
