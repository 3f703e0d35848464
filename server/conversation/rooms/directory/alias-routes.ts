import { deleteRoomAlias, getRoomAlias, getRoomAliases, putRoomAlias } from '../../../../shared/api/rooms.ts';
import { notFound } from '../../../platform/core/matrix-error.ts';
import { networkOf } from '../../../platform/core/network.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import { anyone, type UserPolicy, user } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { requireReadableNow } from '../access.ts';
import type { RoomContext } from '../events/append-events.ts';
import { listAliases } from './alias-store.ts';
import { type AliasContext, createAlias, deleteAlias, findAliasedRoom, requireAlias } from './aliases.ts';

/** Others need membership or power in the room. */
const members: UserPolicy = { ...user, administrators: 'exempt' };

const actor = ({ userId, appServiceId }: Requester, admin: boolean) => ({ userId, admin, appServiceId });

/** Client-server API, "Room Aliases". */
export const aliasRoutes: Routes<RoomContext & AliasContext> = (app, context) => {
  const { config, db } = context;
  const path = '/directory/room/:roomAlias';

  app.get(path, { schema: getRoomAlias, config: { policy: anyone } }, async ({ params, ip }) => {
    requireAlias(params.roomAlias);
    const room_id = await findAliasedRoom(context, params.roomAlias, networkOf(ip));
    if (!room_id) throw notFound(`Room alias ${params.roomAlias} not found`);
    return { room_id, servers: [config.serverName] };
  });

  app.put(path, { schema: putRoomAlias, config: { policy: members } }, async (request) => {
    const { params, body, requester, exempt } = request;
    await createAlias(context, actor(requester, exempt), params.roomAlias, body.room_id);
    return {};
  });

  app.delete(
    path,
    { schema: deleteRoomAlias, config: { policy: members } },
    async ({ params, requester, exempt }) => {
      await deleteAlias(context, actor(requester, exempt), params.roomAlias);
      return {};
    },
  );

  app.get(
    '/rooms/:roomId/aliases',
    { schema: getRoomAliases, config: { policy: members } },
    async ({ params, requester, exempt }) => {
      if (!exempt) await requireReadableNow(db, params.roomId, requester.userId);
      return { aliases: await listAliases(db, params.roomId) };
    },
  );
};
