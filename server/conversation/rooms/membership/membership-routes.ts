/** Changing memberships: join, knock, invite, kick, ban, leave, forget. `member-routes.ts` reads them. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { changeOther, joinByIdOrAlias, joinRoom, leaveRoom } from '../../../../shared/api/membership.ts';
import { badJson } from '../../../platform/core/matrix-error.ts';
import { refused, type UserPolicy, user, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { type AliasContext, resolveRoom } from '../directory/aliases.ts';
import type { RoomContext } from '../events/append-events.ts';
import { ownChange, type Reason } from './change-membership.ts';
import * as membership from './membership.ts';
import { invitationLimits } from './membership.ts';

const joins: UserPolicy = {
  access: 'user',
  limits: [{ of: 'joins', by: 'user' }],
  suspended: refused('Joining rooms'),
  guests: 'may',
};
const knocks: UserPolicy = { ...joins, suspended: refused('Knocking on rooms'), guests: 'refused' };
const changesOther: UserPolicy = { ...user, suspended: refused('Changing membership') };
const invites: UserPolicy = {
  ...user,
  limits: invitationLimits(({ body }) => [(body as { user_id: string }).user_id]),
  suspended: refused('Sending invites'),
  shadowBanned: () => ({}),
};

export const membershipRoutes: Routes<RoomContext & AliasContext> = (app, context) => {
  app.post(
    '/join/:roomIdOrAlias',
    { schema: joinByIdOrAlias, config: { policy: joins } },
    async ({ params, body, requester }) => {
      const room_id = await resolveRoom(context, params.roomIdOrAlias, requester.userId);
      const change = ownChange(room_id, requester.userId, 'join', joinReason(body));
      await membership.setMembership(context, change);
      return { room_id };
    },
  );

  app.post(
    '/rooms/:roomId/join',
    { schema: joinRoom, config: { policy: joins } },
    async ({ params, body, requester }) => {
      const change = ownChange(params.roomId, requester.userId, 'join', joinReason(body));
      await membership.setMembership(context, change);
      return { room_id: params.roomId };
    },
  );

  app.post(
    '/knock/:roomIdOrAlias',
    { schema: joinByIdOrAlias, config: { policy: knocks } },
    async ({ params, body, requester }) => {
      const room_id = await resolveRoom(context, params.roomIdOrAlias, requester.userId);
      const change = ownChange(room_id, requester.userId, 'knock', reasonIn(body));
      await membership.setMembership(context, change);
      return { room_id };
    },
  );

  app.post(
    '/rooms/:roomId/leave',
    { schema: leaveRoom, config: { policy: userOrGuest } },
    async ({ params, body, requester }) => {
      await membership.leaveRoom(context, params.roomId, requester.userId, reasonIn(body));
      return {};
    },
  );

  app.post(
    '/rooms/:roomId/forget',
    { schema: leaveRoom, config: { policy: user } },
    async ({ params, requester }) => {
      await membership.forgetRoom(context, params.roomId, requester.userId);
      return {};
    },
  );

  for (const [action, policy] of [
    ['invite', invites],
    ['ban', changesOther],
  ] as const) {
    app.post(
      `/rooms/:roomId/${action}`,
      { schema: changeOther, config: { policy } },
      async ({ params, body, requester }) => {
        await membership.setMembership(context, {
          roomId: params.roomId,
          sender: requester.userId,
          target: body.user_id,
          content: { membership: action, ...reasonIn(body) },
        });
        return {};
      },
    );
  }

  for (const [action, change] of [
    ['kick', membership.kick],
    ['unban', membership.unban],
  ] as const) {
    app.post(
      `/rooms/:roomId/${action}`,
      { schema: changeOther, config: { policy: changesOther } },
      async ({ params, body, requester }) => {
        await change(context, {
          roomId: params.roomId,
          sender: requester.userId,
          target: body.user_id,
          ...reasonIn(body),
        });
        return {};
      },
    );
  }
};

/** The body of a join may set other keys of the member event, such as a display name. */
function joinReason(body: unknown): Reason {
  const reason = reasonIn(body);
  const { reason: _, third_party_signed: __, membership: ___, ...extra } = (body ?? {}) as JsonObject;
  return { ...reason, extra };
}

function reasonIn(body: unknown): { reason?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw badJson('Content must be a JSON object.');
  const { reason } = body as Record<string, unknown>;
  return typeof reason === 'string' ? { reason } : {};
}
