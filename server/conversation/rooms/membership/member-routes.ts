/** Reading memberships: members of a room, and rooms of a user. `membership-routes.ts` changes them. */
import {
  getJoinedMembers,
  getJoinedRooms,
  getMembers,
  getMutualRooms,
  type JoinedMembers,
} from '../../../../shared/api/membership.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { jsonChunks } from '../../../platform/core/json.ts';
import { forbidden, invalidParameter } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { longReplies, user, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { streamJson } from '../../../platform/http/send-json.ts';
import { requireReadable } from '../access.ts';
import { type Reader, serveEvents } from '../events/client-event.ts';
import { findEvent } from '../events/event-store.ts';
import { readMessages } from '../events/history.ts';
import { parseStreamToken } from '../events/stream-token.ts';
import { listState } from '../state/current-state-store.ts';
import { listStateAt } from '../state/room-state-store.ts';
import { countMutualRooms, listJoinedRooms, listMutualRooms } from './membership-store.ts';

export const memberRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  app.get(
    '/joined_rooms',
    { schema: getJoinedRooms, config: { policy: userOrGuest } },
    async ({ requester }) => ({
      joined_rooms: await listJoinedRooms(db, requester.userId),
    }),
  );

  app.get(
    '/rooms/:roomId/joined_members',
    { schema: getJoinedMembers, config: { policy: user } },
    async ({ params, requester }) => {
      const { upTo } = await requireReadable(db, params.roomId, requester.userId);
      if (upTo !== undefined) {
        throw forbidden('Getting joined members while not being a current member of the room is forbidden.');
      }
      const joined: JoinedMembers['joined'] = {};
      for (const { pdu } of await listState(db, params.roomId, 'm.room.member')) {
        const { membership, displayname, avatar_url } = pdu.content;
        if (membership === 'join' && pdu.state_key !== undefined) {
          joined[pdu.state_key] = {
            display_name: textOrNull(displayname),
            avatar_url: textOrNull(avatar_url),
          };
        }
      }
      return { joined };
    },
  );

  app.get(
    '/rooms/:roomId/members',
    { schema: getMembers, config: { policy: { ...userOrGuest, concurrency: longReplies } } },
    async ({ params, query, requester }, reply) => {
      const { upTo } = await requireReadable(db, params.roomId, requester.userId);
      const at = parseStreamToken('at', query.at);
      const reader = { requester, now: clock.now() };
      const position = at === undefined ? upTo : await lastVisiblePosition(db, reader, params.roomId, at);
      const members =
        position === undefined
          ? await listState(db, params.roomId, 'm.room.member')
          : await listStateAt(db, params.roomId, position, 'm.room.member');
      const wanted = members.filter(
        ({ pdu: { content } }) =>
          (query.membership === undefined || content.membership === query.membership) &&
          (query.not_membership === undefined || content.membership !== query.not_membership),
      );
      const served = wanted.map((event) => ({ event }));
      const chunk = await serveEvents(db, served, { ...reader, upTo });
      return streamJson(reply, jsonChunks({ chunk }, 2));
    },
  );
};

/** Returns the last stream position up to another one that the reader can see. @throws MatrixError 403 if there is none */
async function lastVisiblePosition(
  db: Database,
  reader: Reader,
  roomId: string,
  from: number,
): Promise<number> {
  const page = { direction: 'b', from, to: undefined, limit: 1, filter: {} } as const;
  const [event] = (await readMessages(db, reader, roomId, page)).events;
  const found = event && (await findEvent(db, event.event_id));
  if (!found) throw forbidden(`You don't have permission to view room ${roomId} at this point`);
  return found.streamOrdering;
}

/** Page size. */
const mutualRoomsPerPage = 100;

/** Under …/client/v1. */
export const mutualRoomRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/mutual_rooms',
    { schema: getMutualRooms, config: { policy: user } },
    async ({ query: { user_id: other, from }, requester: { userId } }) => {
      if (other === userId) throw invalidParameter('You cannot request a list of shared rooms with yourself');
      const after = from === undefined ? '' : Buffer.from(from, 'base64url').toString();
      if (from !== undefined && !after.startsWith('!')) throw invalidParameter('Invalid batch token');
      const found = await listMutualRooms(db, [userId, other], { after, limit: mutualRoomsPerPage + 1 });
      const joined = found.slice(0, mutualRoomsPerPage);
      const isLast = found.length <= mutualRoomsPerPage;
      return {
        joined,
        count: isLast && after === '' ? joined.length : await countMutualRooms(db, userId, other),
        ...(!isLast && { next_batch: Buffer.from(joined.at(-1) ?? '').toString('base64url') }),
      };
    },
  );
};

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
