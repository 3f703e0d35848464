import { type CreateRoomRequest, postRoom, postRoomUpgrade } from '../../../../shared/api/rooms.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { refused, type UserPolicy, user } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import type { RoomContext } from '../events/append-events.ts';
import { inviteNobody } from '../events/restricted-senders.ts';
import { invitedWith } from '../membership/membership.ts';
import { createRoom } from './create-room.ts';
import { upgradeRoom } from './upgrade-room.ts';

/** A new room may have a thousand events, and its transaction delays other writes. */
const concurrency = {
  name: 'rooms',
  perUser: 2,
  total: 3,
  // The rate limit restricts their number; temporary servers have none.
  queuedPerUser: 1_000,
  refusal: 'Too many rooms are being created',
};

const creating: UserPolicy = {
  ...user,
  concurrency,
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
  // Publication rules apply to others only.
  administrators: 'exempt',
};

const upgrading: UserPolicy = {
  ...user,
  concurrency,
  limits: [{ of: 'roomCreation', by: 'user' }],
  suspended: refused('Sending messages'),
};

export const roomCreationRoutes: Routes<RoomContext & { db: Database }> = (app, context) => {
  app.post(
    '/rooms/:roomId/upgrade',
    { schema: postRoomUpgrade, config: { policy: upgrading } },
    async ({ params, body, requester }) => ({
      replacement_room: await upgradeRoom(context, params.roomId, {
        userId: requester.userId,
        version: body.new_version,
        additionalCreators: body.additional_creators,
      }),
    }),
  );

  app.post(
    '/createRoom',
    { schema: postRoom, config: { policy: creating } },
    async ({ body, requester, exempt }) => ({
      room_id: await createRoom(context, requester.userId, body, {
        admin: exempt,
        appServiceId: requester.appServiceId,
      }),
    }),
  );
};
