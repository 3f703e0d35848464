/** Administering users. The reference homeserver's "User Admin API". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, SafeInteger, Timestamp } from './common.ts';

const Password = Type.String({ minLength: 1, maxLength: 512 });
const ExternalId = Type.Object({
  auth_provider: Type.String({ maxLength: 255 }),
  external_id: Type.String({ maxLength: 255 }),
});

/** One user in detail. */
export const UserDetail = Type.Object({
  name: Type.String({ description: 'User ID' }),
  displayname: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  threepids: Type.Array(
    Type.Object({
      medium: Type.String(),
      address: Type.String(),
      validated_at: Timestamp,
      added_at: Timestamp,
    }),
  ),
  external_ids: Type.Array(ExternalId),
  is_guest: Type.Boolean(),
  admin: Type.Boolean(),
  deactivated: Type.Boolean(),
  erased: Type.Boolean(),
  locked: Type.Boolean(),
  suspended: Type.Boolean(),
  shadow_banned: Type.Boolean(),
  creation_ts: Type.Integer({ description: 'Seconds since the Unix epoch (milliseconds in the user list)' }),
  last_seen_ts: Nullable(Timestamp),
  appservice_id: Nullable(Type.String()),
  user_type: Nullable(Type.String()),
  consent_server_notice_sent: Type.Null(),
  consent_version: Type.Null(),
  consent_ts: Type.Null(),
});
export type UserDetail = Static<typeof UserDetail>;

/** What of a user is set; what is left out stays as it is, or gets its default where the user is made. */
export const UserPut = Type.Object(
  {
    password: Type.Optional(Password),
    logout_devices: Type.Boolean({
      default: true,
      description: 'Sign out all devices when the password changes',
    }),
    displayname: Type.Optional(Type.String({ maxLength: 256, description: 'Empty for none' })),
    avatar_url: Type.Optional(Type.String({ maxLength: 1000, description: 'Empty for none' })),
    threepids: Type.Optional(
      Type.Array(
        Type.Object({
          medium: Type.Union([Type.Literal('email'), Type.Literal('msisdn')]),
          address: Type.String({ minLength: 1, maxLength: 500 }),
        }),
        { maxItems: 100 },
      ),
    ),
    external_ids: Type.Optional(Type.Array(ExternalId, { maxItems: 100 })),
    admin: Type.Optional(Type.Boolean()),
    deactivated: Type.Optional(Type.Boolean()),
    locked: Type.Optional(Type.Boolean()),
    suspended: Type.Optional(Type.Boolean()),
    user_type: Type.Optional(
      Type.Union([Type.Literal('bot'), Type.Literal('support'), Type.Null()], {
        description: 'Null for a regular user',
      }),
    ),
  },
  { additionalProperties: true },
);
export type UserPut = Static<typeof UserPut>;

const params = Type.Object({ user_id: Type.String() });
const done = { params, response: { 200: EmptyObject, ...failures } };

export const getUser = { params, response: { 200: UserDetail, ...failures } };
export const putUser = { params, body: UserPut, response: { 200: UserDetail, 201: UserDetail, ...failures } };

export const DeactivateRequest = Type.Object(
  { erase: Type.Boolean({ default: false }) },
  { additionalProperties: true },
);
export const Deactivated = Type.Object({ id_server_unbind_result: Type.String() });
export const deactivateUser = {
  params,
  body: Type.Optional(DeactivateRequest),
  response: { 200: Deactivated, ...failures },
};

export const resetPassword = {
  params,
  body: Type.Object(
    { new_password: Password, logout_devices: Type.Boolean({ default: true }) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

const AdminFlag = Type.Object({ admin: Type.Boolean() }, { additionalProperties: true });
export const getUserAdmin = { params, response: { 200: AdminFlag, ...failures } };
export const putUserAdmin = { ...done, body: AdminFlag };

export const shadowBan = done;

export const suspendUser = {
  params,
  body: Type.Object({ suspend: Type.Boolean() }, { additionalProperties: true }),
  // The reference names its one property after the user: `user_@alice:example.org_suspended`.
  response: {
    200: Type.Unsafe<Record<string, boolean>>({ type: 'object', additionalProperties: true }),
    ...failures,
  },
};

export const LoginAsRequest = Type.Object(
  { valid_until_ms: Type.Optional(Nullable(SafeInteger)) },
  { additionalProperties: true },
);
export const loginAsUser = {
  params,
  body: Type.Optional(LoginAsRequest),
  response: { 200: Type.Object({ access_token: Type.String() }), ...failures },
};
