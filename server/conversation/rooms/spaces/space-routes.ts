import { getHierarchy, getRoomSummary, type RoomSummary } from '../../../../shared/api/rooms.ts';
import { invalidParameter, notFound } from '../../../platform/core/matrix-error.ts';
import { networkOf } from '../../../platform/core/network.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { anyoneKnown, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { type AliasContext, resolveRoom } from '../directory/aliases.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { previewRoom, type RoomPreview, readHierarchy } from './hierarchy.ts';

const roomsAtOnce = 50;
const config = { policy: userOrGuest };

/** Under …/client/v1. */
export const hierarchyRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/rooms/:roomId/hierarchy',
    { schema: getHierarchy, config },
    async ({ params, query, requester }) => {
      const { suggested_only: suggestedOnly, max_depth: maxDepth } = query;
      const limit = Math.min(query.limit, roomsAtOnce);
      const prefix = tokenPrefix(query);
      const skip = parseToken(query.from, prefix);
      const page = await readHierarchy(db, params.roomId, requester.userId, {
        ...{ suggestedOnly, maxDepth, skip, limit },
      });
      return {
        rooms: page.rooms.map((room) => ({
          ...summaryOf(room),
          children_state: room.children.map(asStripped),
        })),
        ...(!page.isLast && { next_batch: `${prefix}${skip + page.rooms.length}` }),
      };
    },
  );
};

/** Under …/client/v1. */
export const roomSummaryRoutes = summaryAt('/room_summary/:roomIdOrAlias');
/** Paths of older clients (MSC3266). */
export const unstableRoomSummaryRoutes = summaryAt(
  '/im.nheko.summary/rooms/:roomIdOrAlias/summary',
  '/im.nheko.summary/summary/:roomIdOrAlias',
);

function summaryAt(...paths: string[]): Routes<AliasContext> {
  return (app, context) => {
    const { db } = context;
    for (const path of paths) {
      app.get(
        path,
        { schema: getRoomSummary, config: { policy: anyoneKnown } },
        async ({ params, requester, ip }): Promise<RoomSummary> => {
          const asker = requester?.userId ?? networkOf(ip);
          const roomId = await resolveRoom(context, params.roomIdOrAlias, asker);
          const preview = await previewRoom(db, roomId, requester?.userId);
          if (!preview) throw notFound('Room not found or is not accessible');
          const { membership } = preview;
          return { ...summaryOf(preview), ...(membership !== undefined && { membership }) };
        },
      );
    }
  };
}

const summaryOf = ({ room, allowedRoomIds }: RoomPreview): RoomSummary => ({
  room_id: room.roomId,
  room_version: room.roomVersion,
  ...(room.name !== null && { name: room.name }),
  ...(room.topic !== null && { topic: room.topic }),
  ...(room.canonicalAlias !== null && { canonical_alias: room.canonicalAlias }),
  ...(room.avatar !== null && { avatar_url: room.avatar }),
  num_joined_members: room.joinedMembers,
  join_rule: room.joinRule,
  world_readable: room.historyVisibility === 'world_readable',
  guest_can_join: room.guestAccess === 'can_join',
  ...(room.roomType !== null && { room_type: room.roomType }),
  ...(room.encryption !== null && { encryption: room.encryption }),
  ...(allowedRoomIds.length > 0 && { allowed_room_ids: allowedRoomIds }),
});

const asStripped = ({ pdu: { type, state_key, content, sender, origin_server_ts } }: StoredEvent) => ({
  ...{ type, state_key, content, sender, origin_server_ts },
});

/** The prefix of pagination tokens, which must not be used with other options. */
const tokenPrefix = ({ suggested_only, max_depth }: { suggested_only: boolean; max_depth?: number }) =>
  `h${suggested_only ? 's' : ''}${max_depth ?? ''}_`;

function parseToken(token: string | undefined, prefix: string): number {
  if (token === undefined || token === '') return 0;
  const position = token.startsWith(prefix) ? token.slice(prefix.length) : '';
  if (!/^\d{1,6}$/.test(position)) throw invalidParameter('Unknown pagination token');
  return Number(position);
}
