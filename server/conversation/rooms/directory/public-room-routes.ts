import {
  getPublicRooms,
  getVisibility,
  type PublicRoom,
  type PublicRoomPage,
  putNetworkVisibility,
  putVisibility,
  searchPublicRooms,
} from '../../../../shared/api/rooms.ts';
import { type AppServices, parseInstanceId } from '../../../identity/accounts/app-services.ts';
import {
  forbidden,
  invalidParameter,
  MatrixError,
  notFound,
  unknownError,
} from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { anyone, type Policy, type UserPolicy, user, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import type { RoomContext } from '../events/append-events.ts';
import { findRoom, type RoomRecord } from '../room-store.ts';
import { type DirectoryCursor, type DirectoryPage, listPublicRooms } from './public-room-store.ts';
import { setVisibility, setVisibilityInNetwork } from './public-rooms.ts';

/** Others need power in the room and a publication rule that allows it. */
const publishing: UserPolicy = { ...user, administrators: 'exempt' };

/** Client-server API, "Published Room Directory". */
export const publicRoomRoutes: Routes<RoomContext & { db: Database; appServices: AppServices }> = (
  app,
  context,
) => {
  const { config, db, appServices } = context;
  const listing: Policy = config.roomDirectory.isOpen ? anyone : userOrGuest;

  app.get('/publicRooms', { schema: getPublicRooms, config: { policy: listing } }, async ({ query }) => {
    requireOwnServer(query.server);
    return asReply(await listPublicRooms(db, { limit: query.limit, since: parseToken(query.since) }));
  });

  app.post(
    '/publicRooms',
    { schema: searchPublicRooms, config: { policy: listing } },
    async ({ query, body }) => {
      requireOwnServer(query.server);
      const { limit, since, filter, include_all_networks: all, third_party_instance_id: instance } = body;
      if (all && instance) throw unknownError("Can't use include_all_networks with an explicit network");
      const found = await listPublicRooms(db, {
        limit: limit ?? undefined,
        since: parseToken(since ?? undefined),
        search: filter?.generic_search_term ?? undefined,
        types: filter?.room_types ?? undefined,
        network: all ? 'all' : instance ? parseInstanceId(appServices, instance) : undefined,
      });
      return asReply(found);
    },
  );

  app.get(
    '/directory/list/room/:roomId',
    { schema: getVisibility, config: { policy: anyone } },
    async ({ params }) => {
      const room = await findRoom(db, params.roomId);
      if (!room) throw notFound('Unknown room');
      return { visibility: room.isPublic ? 'public' : 'private' } as const;
    },
  );

  app.put(
    '/directory/list/room/:roomId',
    { schema: putVisibility, config: { policy: publishing } },
    async ({ params, body, requester, exempt }) => {
      const actor = { userId: requester.userId, admin: exempt };
      await setVisibility(context, actor, params.roomId, body.visibility === 'public');
      return {};
    },
  );

  app.put(
    '/directory/list/appservice/:networkId/:roomId',
    { schema: putNetworkVisibility, config: { policy: user } },
    async ({ params: { networkId, roomId }, body, requester: { appServiceId } }) => {
      if (appServiceId === undefined) {
        throw forbidden('Only appservices can edit the appservice published room list');
      }
      await setVisibilityInNetwork(
        context,
        { appServiceId, networkId },
        roomId,
        body.visibility === 'public',
      );
      return {};
    },
  );

  function requireOwnServer(server: string | undefined): void {
    if (server !== undefined && server !== '' && server !== config.serverName) {
      throw new MatrixError(400, 'M_UNKNOWN', `Can't connect to server ${server}`);
    }
  }
};

const asReply = ({ rooms, total, next, previous }: DirectoryPage): PublicRoomPage => ({
  chunk: rooms.map(asPublicRoom),
  total_room_count_estimate: total,
  ...(next && { next_batch: tokenOf(next) }),
  ...(previous && { prev_batch: tokenOf(previous) }),
});

const asPublicRoom = (room: RoomRecord): PublicRoom => ({
  room_id: room.roomId,
  ...(room.name !== null && { name: room.name }),
  ...(room.topic !== null && { topic: room.topic }),
  ...(room.canonicalAlias !== null && { canonical_alias: room.canonicalAlias }),
  ...(room.avatar !== null && { avatar_url: room.avatar }),
  num_joined_members: room.joinedMembers,
  world_readable: room.historyVisibility === 'world_readable',
  guest_can_join: room.guestAccess === 'can_join',
  join_rule: room.joinRule,
  ...(room.roomType !== null && { room_type: room.roomType }),
});

const tokenOf = ({ direction, joinedMembers, roomId }: DirectoryCursor) =>
  Buffer.from(`${direction}${joinedMembers}${roomId}`).toString('base64url');

function parseToken(token: string | undefined): DirectoryCursor | undefined {
  if (token === undefined || token === '') return undefined;
  const text = Buffer.from(token, 'base64url').toString();
  const [, direction, joinedMembers, roomId] = /^([fb])(\d{1,15})(!.+)$/s.exec(text) ?? [];
  if (roomId === undefined) throw invalidParameter("'since' parameter is invalid");
  return { direction: direction as 'f' | 'b', joinedMembers: Number(joinedMembers), roomId };
}
