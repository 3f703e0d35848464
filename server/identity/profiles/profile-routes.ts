import {
  deleteNamedField,
  deleteProfileField,
  getAvatarUrl,
  getDisplayName,
  getProfile,
  getProfileField,
  type Profile,
  putAvatarUrl,
  putDisplayName,
  putProfileField,
} from '../../../shared/api/profile.ts';
import type { Config } from '../../platform/config/config.ts';
import { isUserId, serverOf } from '../../platform/core/identifiers.ts';
import {
  invalidParameter,
  MatrixError,
  missingParameter,
  notFound,
  unknownError,
} from '../../platform/core/matrix-error.ts';
import { anyone, type Call, refused, user as signedIn, type UserPolicy } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { deleteProfileFields, findUser, listProfileFields, type User } from '../accounts/user-store.ts';
import {
  asProfile,
  changeProfile,
  changeProfileField,
  maximumAvatarUrl,
  maximumDisplayName,
  type ProfileContext,
  requireFieldName,
} from './profile.ts';

export const profileRoutes: Routes<ProfileContext & { config: Config }> = (app, context) => {
  const { config, db } = context;
  const path = '/profile/:userId';

  const errorOf = (userId: string): MatrixError | undefined => {
    if (!isUserId(userId)) return invalidParameter('Invalid user id');
    if (serverOf(userId) !== config.serverName) return unknownError('User is not hosted on this homeserver');
    return undefined;
  };
  const changing = (what: string, othersStatus = 400): UserPolicy => ({
    ...signedIn,
    limits: [{ of: 'profileChanges', by: 'user' }],
    suspended: refused('Updating profile'),
    self: {
      parameter: 'userId',
      orAdministrator: true,
      refusal: (userId) => errorOf(userId) ?? disabled(`Cannot set another user's ${what}`, othersStatus),
    },
    shadowBanned: 'unseen',
  });
  /** Lets users set a field that they don't have yet, even if changing it is disabled. */
  const unlessUnset =
    (field: 'displayName' | 'avatarUrl', sentence: string) =>
    async ({ requester: { userId, admin } }: Call): Promise<MatrixError | undefined> => {
      const user = admin ? undefined : await findUser(db, userId);
      return user && user[field] !== null ? disabled(sentence) : undefined;
    };
  const { mayChangeDisplayName, mayChangeAvatarUrl } = config.profiles;
  const changingName: UserPolicy = {
    ...changing('displayname'),
    guests: 'may',
    ...(!mayChangeDisplayName && {
      refusal: unlessUnset('displayName', 'Changing display name is disabled on this server'),
    }),
  };
  const changingAvatar: UserPolicy = {
    ...changing('avatar_url'),
    ...(!mayChangeAvatarUrl && {
      refusal: unlessUnset('avatarUrl', 'Changing avatar is disabled on this server'),
    }),
  };

  app.get(path, { schema: getProfile, config: { policy: anyone } }, async ({ params }): Promise<Profile> => {
    const user = await requireUser(params.userId);
    const profile = asProfile(user, await listProfileFields(db, params.userId));
    if (Object.keys(profile).length === 0) throw notFound('Profile was not found');
    return profile;
  });

  app.get(
    `${path}/displayname`,
    { schema: getDisplayName, config: { policy: anyone } },
    async ({ params }) => ({
      displayname: (await requireUser(params.userId)).displayName,
    }),
  );

  app.get(`${path}/avatar_url`, { schema: getAvatarUrl, config: { policy: anyone } }, async ({ params }) => ({
    avatar_url: (await requireUser(params.userId)).avatarUrl,
  }));

  app.put(
    `${path}/displayname`,
    { schema: putDisplayName, config: { policy: changingName } },
    async ({ params, body, requester, unseen }) => {
      await requireOwnUser(params.userId);
      if (body.displayname.length > maximumDisplayName) {
        throw unknownError(`Displayname is too long (max ${maximumDisplayName})`);
      }
      const change = { displayName: body.displayname || null };
      await changeProfile(context, { ...params, by: requester.userId }, change, { hidden: unseen });
      return {};
    },
  );

  app.put(
    `${path}/avatar_url`,
    { schema: putAvatarUrl, config: { policy: changingAvatar } },
    async ({ params, body, requester, unseen }) => {
      await requireOwnUser(params.userId);
      if (Buffer.byteLength(body.avatar_url) > maximumAvatarUrl) {
        throw unknownError(`Avatar URL is too long (max ${maximumAvatarUrl})`);
      }
      const change = { avatarUrl: body.avatar_url || null };
      await changeProfile(context, { ...params, by: requester.userId }, change, { hidden: unseen });
      return {};
    },
  );

  app.delete(
    `${path}/displayname`,
    { schema: deleteNamedField, config: { policy: changingName } },
    async ({ params, requester, unseen }) => {
      await requireOwnUser(params.userId);
      await changeProfile(
        context,
        { ...params, by: requester.userId },
        { displayName: null },
        { hidden: unseen },
      );
      return {};
    },
  );

  app.delete(
    `${path}/avatar_url`,
    { schema: deleteNamedField, config: { policy: changingAvatar } },
    async ({ params, requester, unseen }) => {
      await requireOwnUser(params.userId);
      await changeProfile(
        context,
        { ...params, by: requester.userId },
        { avatarUrl: null },
        { hidden: unseen },
      );
      return {};
    },
  );

  app.get(
    `${path}/:field`,
    { schema: getProfileField, config: { policy: anyone } },
    async ({ params: { userId, field } }) => {
      await requireUser(userId);
      const fields = await listProfileFields(db, userId);
      if (!fields.has(field)) throw notFound('Profile was not found');
      return { [field]: fields.get(field) };
    },
  );

  app.put(
    `${path}/:field`,
    { schema: putProfileField, config: { policy: changing('profile', 403) } },
    async ({ params, body, requester }) => {
      const { userId, field } = params;
      await requireOwnUser(userId);
      requireFieldName(field);
      if (!Object.hasOwn(body, field)) throw missingParameter(`Missing key '${field}'`);
      await changeProfileField(db, { userId, by: requester.userId }, field, body[field]);
      return {};
    },
  );

  app.delete(
    `${path}/:field`,
    { schema: deleteProfileField, config: { policy: changing('profile', 403) } },
    async ({ params: { userId, field } }) => {
      await requireOwnUser(userId);
      requireFieldName(field);
      await deleteProfileFields(db, userId, field);
      return {};
    },
  );

  async function requireUser(userId: string): Promise<User> {
    if (!isUserId(userId)) throw invalidParameter('Invalid user id');
    const user = await findUser(db, userId);
    if (!user) throw notFound('Profile was not found');
    return user;
  }

  async function requireOwnUser(userId: string): Promise<void> {
    const error = errorOf(userId);
    if (error) throw error;
    await requireUser(userId);
  }
};

const disabled = (sentence: string, status = 400) => new MatrixError(status, 'M_FORBIDDEN', sentence);
