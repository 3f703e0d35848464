import {
  deactivateUser,
  getLocked,
  getSuspended,
  getUser,
  getUserAdmin,
  listUsers as listUsersSchema,
  listUsersV3,
  loginAsUser,
  putLocked,
  putSuspended,
  putUserAdmin,
  putUser as putUserSchema,
  resetPassword as resetPasswordSchema,
  shadowBan,
  suspendUser,
  type UserDetail,
  type UserListQuery,
} from '../../../shared/api/users.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { presentedToken } from '../../platform/http/authentication.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { deactivateAccount } from './deactivation.ts';
import { resetPassword } from './passwords.ts';
import type { ModerationContext, UserChangeContext } from './user-administration.ts';
import * as administration from './user-administration.ts';
import * as userList from './user-list-store.ts';
import { findUser, type User } from './user-store.ts';

/** Synapse's user admin API. `accountModerationRoutes` also locks and suspends, by the Matrix specification. */
export const userAdministrationRoutes: Routes<UserChangeContext & { lastSeen: LastSeen }> = (
  app,
  context,
) => {
  const { db, config, lastSeen } = context;
  const own = (userId: string, sentence: string) =>
    administration.requireOwnUserId(userId, config.serverName, sentence);

  async function listPage(query: userList.UserFilter) {
    await lastSeen.settle();
    const { users, total } = await userList.listUsers(db, query);
    const next = query.from + users.length;
    return { users: users.map(asItem), total, ...(next < total && { next_token: String(next) }) };
  }
  app.get('/v2/users', { schema: listUsersSchema, config: { policy: administrator } }, ({ query }) =>
    listPage(asListQuery(query)),
  );
  app.get('/v3/users', { schema: listUsersV3, config: { policy: administrator } }, ({ query }) => {
    const { deactivated = true } = query;
    const all = asListQuery({ ...query, deactivated });
    return listPage(query.deactivated ? { ...all, deactivated: 'only' } : all);
  });

  app.get(
    '/v2/users/:user_id',
    { schema: getUser, config: { policy: administrator } },
    async ({ params }) => {
      const userId = own(params.user_id, 'Can only look up local users');
      await lastSeen.settle();
      return asDetail(await administration.readUser(db, userId));
    },
  );

  app.put(
    '/v2/users/:user_id',
    { schema: putUserSchema, config: { policy: administrator } },
    async ({ params, body, requester }, reply) => {
      const userId = own(params.user_id, 'This endpoint can only be used with local users');
      const created = await administration.putUser(context, userId, body, requester.userId);
      return reply.status(created ? 201 : 200).send(asDetail(await administration.readUser(db, userId)));
    },
  );

  app.post(
    '/v1/deactivate/:user_id',
    { schema: deactivateUser, config: { policy: administrator } },
    async ({ params, body }) => {
      const userId = own(params.user_id, 'Can only deactivate local users');
      await deactivateAccount(context, userId, { erase: body.erase });
      return { id_server_unbind_result: 'success' };
    },
  );

  app.post(
    '/v1/reset_password/:user_id',
    { schema: resetPasswordSchema, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const userId = own(params.user_id, 'Can only reset the passwords of local users');
      const { new_password: password, logout_devices: logoutDevices } = body;
      await resetPassword(context, userId, password, { limiterKey: requester.userId, logoutDevices });
      return {};
    },
  );

  const onlyOwn = 'Only local users can be admins of this homeserver';
  app.get(
    '/v1/users/:user_id/admin',
    { schema: getUserAdmin, config: { policy: administrator } },
    async ({ params }) => {
      const user = await findUser(db, own(params.user_id, onlyOwn));
      return { admin: user?.admin ?? false };
    },
  );
  app.put(
    '/v1/users/:user_id/admin',
    { schema: putUserAdmin, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const userId = own(params.user_id, onlyOwn);
      if (userId === requester.userId && !body.admin) {
        throw new MatrixError(400, 'M_UNKNOWN', 'You may not demote yourself.');
      }
      await administration.setFlags(context, userId, { admin: body.admin });
      return {};
    },
  );

  for (const [method, shadowBanned] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route({
      method,
      url: '/v1/users/:user_id/shadow_ban',
      schema: shadowBan,
      config: { policy: administrator },
      handler: async ({ params }) => {
        const userId = own(params.user_id, 'Only local users can be shadow-banned');
        await administration.setFlags(context, userId, { shadowBanned });
        return {};
      },
    });
  }

  app.put(
    '/v1/suspend/:user_id',
    { schema: suspendUser, config: { policy: administrator } },
    async ({ params, body }) => {
      const userId = own(params.user_id, 'Can only suspend local users');
      await administration.setFlags(context, userId, { suspended: body.suspend });
      return { [`user_${userId}_suspended`]: body.suspend };
    },
  );

  // With external authentication, only the service issues access tokens.
  if (config.externalAuthentication) return;
  app.post(
    '/v1/users/:user_id/login',
    { schema: loginAsUser, config: { policy: administrator } },
    async (request) => {
      const userId = own(request.params.user_id, 'Only local users can be logged in as');
      const { valid_until_ms: expiresTs = null } = request.body;
      const authenticated = { requester: request.requester, hash: presentedToken(request).hash };
      return { access_token: await administration.logInAs(context, userId, authenticated, expiresTs) };
    },
  );
};

const asListQuery = (query: UserListQuery): userList.UserFilter => ({
  from: query.from,
  limit: query.limit,
  orderBy: query.order_by,
  direction: query.dir,
  userId: query.user_id,
  name: query.name,
  admins: query.admins,
  guests: query.guests,
  deactivated: query.deactivated,
  locked: query.locked,
  notUserType: query.not_user_type,
});

const asItem = (user: User) => ({
  name: user.userId,
  user_type: user.userType,
  is_guest: user.guest,
  admin: user.admin,
  deactivated: user.deactivated,
  shadow_banned: user.shadowBanned,
  displayname: user.displayName,
  avatar_url: user.avatarUrl,
  creation_ts: user.createdTs,
  approved: true,
  erased: user.erased,
  last_seen_ts: user.lastSeenTs,
  locked: user.locked,
});

const asDetail = ({ user, threepids, externalIds }: administration.UserAccount): UserDetail => ({
  name: user.userId,
  displayname: user.displayName,
  avatar_url: user.avatarUrl,
  threepids: threepids.map(({ medium, address, validatedTs, addedTs }) => ({
    medium,
    address,
    validated_at: validatedTs,
    added_at: addedTs,
  })),
  external_ids: externalIds.map(({ authProvider, externalId }) => ({
    auth_provider: authProvider,
    external_id: externalId,
  })),
  is_guest: user.guest,
  admin: user.admin,
  deactivated: user.deactivated,
  erased: user.erased,
  locked: user.locked,
  suspended: user.suspended,
  shadow_banned: user.shadowBanned,
  // In seconds, but in milliseconds in the list, as in Synapse.
  creation_ts: Math.floor(user.createdTs / 1000),
  last_seen_ts: user.lastSeenTs,
  appservice_id: user.appServiceId,
  user_type: user.userType,
  consent_server_notice_sent: null,
  consent_version: null,
  consent_ts: null,
});

/** Under …/client/v1. Client-server API, "Server administration". */
export const accountModerationRoutes: Routes<ModerationContext> = (app, context) => {
  const config = { policy: administrator };

  app.get('/admin/lock/:userId', { schema: getLocked, config }, async ({ params, requester }) => {
    const target = { userId: params.userId, administrator: requester.userId };
    return { locked: (await administration.readModeratedUser(context, target)).locked };
  });

  app.put('/admin/lock/:userId', { schema: putLocked, config }, async ({ params, body, requester }) => {
    const target = { userId: params.userId, administrator: requester.userId };
    await administration.moderateUser(context, target, { locked: body.locked });
    return { locked: body.locked };
  });

  app.get('/admin/suspend/:userId', { schema: getSuspended, config }, async ({ params, requester }) => {
    const target = { userId: params.userId, administrator: requester.userId };
    return { suspended: (await administration.readModeratedUser(context, target)).suspended };
  });

  app.put('/admin/suspend/:userId', { schema: putSuspended, config }, async ({ params, body, requester }) => {
    const target = { userId: params.userId, administrator: requester.userId };
    await administration.moderateUser(context, target, { suspended: body.suspended });
    return { suspended: body.suspended };
  });
};
