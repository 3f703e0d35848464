import { type CreateRoomRequest, createRoom as createRoomSchema } from '../../shared/api/room-creation.ts';
import type { Database } from '../database/schema.ts';
import { refused, type UserPolicy } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from './append-events.ts';
import { createRoom } from './create-room.ts';
import { invitedWith } from './membership-limits.ts';
import { inviteNobody } from './restricted-senders.ts';

const creating: UserPolicy = {
  access: 'user',
  limits: [
    { of: 'roomCreation', by: 'user' },
    {
      of: 'invitesPerIssuer',
      by: ({ requester, body }) => {
        const times = invitedWith(body as CreateRoomRequest);
        return times > 0 ? [{ name: requester.userId, times }] : [];
      },
    },
  ],
  suspended: refused('Sending messages'),
  shadowBanned: inviteNobody,
  // Whether others may publish what they make is a matter of rules.
  administrators: 'exempt',
};

export const roomCreationRoutes: Routes<RoomContext & { db: Database }> = (app, context) => {
  app.post(
    '/createRoom',
    { schema: createRoomSchema, config: { policy: creating } },
    async ({ body, requester, exempt }) => ({
      room_id: await createRoom(context, requester.userId, body, { admin: exempt }),
    }),
  );
};
