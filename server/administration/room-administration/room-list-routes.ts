import {
  getRoom,
  listRooms,
  type RoomDetail,
  type RoomListItem,
  type RoomListPage,
  type RoomListQuery,
} from '../../../shared/api/room-administration.ts';
import { getUserRooms } from '../../../shared/api/users.ts';
import { listJoinedRooms } from '../../conversation/rooms/membership/membership-store.ts';
import type { RoomRecord } from '../../conversation/rooms/room-store.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import * as rooms from './room-list-store.ts';

export const roomListRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get('/v1/rooms', { schema: listRooms, config: { policy: administrator } }, async ({ query }) =>
    asPage(query, await rooms.listRooms(db, asQuery(query))),
  );

  app.get(
    '/v1/rooms/:room_id',
    { schema: getRoom, config: { policy: administrator } },
    async ({ params }) => {
      const room = await rooms.findRoomDetail(db, params.room_id);
      if (!room) throw notFound('Room not found');
      return asDetail(room);
    },
  );
};

const asQuery = (query: RoomListQuery): rooms.RoomListQuery => ({
  from: query.from,
  limit: query.limit,
  orderBy: query.order_by,
  direction: query.dir,
  search: query.search_term,
  isPublic: query.public_rooms,
  isEmpty: query.empty_rooms,
});

function asPage(
  { from, limit }: RoomListQuery,
  { rooms, total }: { rooms: RoomRecord[]; total: number },
): RoomListPage {
  const next = from + rooms.length;
  return {
    offset: from,
    rooms: rooms.map(asListItem),
    total_rooms: total,
    ...(next < total && { next_batch: next }),
    ...(from > 0 && { prev_batch: Math.max(0, from - limit) }),
  };
}

const asListItem = (room: RoomRecord): RoomListItem => ({
  room_id: room.roomId,
  name: room.name,
  canonical_alias: room.canonicalAlias,
  joined_members: room.joinedMembers,
  joined_local_members: room.joinedMembers,
  version: room.roomVersion,
  creator: room.creator,
  encryption: room.encryption,
  federatable: room.federatable,
  public: room.isPublic,
  join_rules: room.joinRule,
  guest_access: room.guestAccess,
  history_visibility: room.historyVisibility,
  state_events: room.stateEvents,
  room_type: room.roomType,
});

const asDetail = (room: rooms.RoomDetail): RoomDetail => ({
  ...asListItem(room),
  avatar: room.avatar,
  topic: room.topic,
  joined_local_devices: room.joinedDevices,
  forgotten: room.forgotten,
  tombstoned: room.tombstoned,
  replacement_room: room.replacementRoom,
});

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
