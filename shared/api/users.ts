/** Users, for server admins. Synapse's "User Admin API". */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, Nullable, SafeInteger, Timestamp } from './common.ts';
import { TaskStatus } from './tasks.ts';

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

/** Properties to set. Others stay unchanged, or get their default for a new user. */
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

const userParams = Type.Object({ user_id: Type.String() });
const done = { params: userParams, response: { 200: EmptyObject, ...failures } };

export const getUser = { params: userParams, response: { 200: UserDetail, ...failures } };
export const putUser = {
  params: userParams,
  body: UserPut,
  response: { 200: UserDetail, 201: UserDetail, ...failures },
};

export const DeactivateRequest = Type.Object(
  { erase: Type.Boolean({ default: false }) },
  { additionalProperties: true },
);
export const Deactivated = Type.Object({ id_server_unbind_result: Type.String() });
export const deactivateUser = {
  params: userParams,
  body: Type.Optional(DeactivateRequest),
  response: { 200: Deactivated, ...failures },
};

export const resetPassword = {
  params: userParams,
  body: Type.Object(
    { new_password: Password, logout_devices: Type.Boolean({ default: true }) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

const AdminFlag = Type.Object({ admin: Type.Boolean() }, { additionalProperties: true });
export const getUserAdmin = { params: userParams, response: { 200: AdminFlag, ...failures } };
export const putUserAdmin = { ...done, body: AdminFlag };

export const shadowBan = done;

export const suspendUser = {
  params: userParams,
  body: Type.Object({ suspend: Type.Boolean() }, { additionalProperties: true }),
  // Synapse names its one property after the user: `user_@alice:example.org_suspended`.
  response: {
    200: Type.Unsafe<Record<string, boolean>>({ type: 'object', additionalProperties: true }),
    ...failures,
  },
};

const LoginAsRequest = Type.Object(
  { valid_until_ms: Type.Optional(Nullable(SafeInteger)) },
  { additionalProperties: true },
);
export const loginAsUser = {
  params: userParams,
  body: Type.Optional(LoginAsRequest),
  response: { 200: Type.Object({ access_token: Type.String() }), ...failures },
};

/** The list of users, for server admins. Synapse's "List Accounts" API, version 2. */

const UserListItem = Type.Object({
  name: Type.String({ description: 'User ID' }),
  user_type: Nullable(Type.String()),
  is_guest: Type.Boolean(),
  admin: Type.Boolean(),
  deactivated: Type.Boolean(),
  shadow_banned: Type.Boolean(),
  displayname: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  creation_ts: Timestamp,
  approved: Type.Boolean(),
  erased: Type.Boolean(),
  last_seen_ts: Nullable(Timestamp),
  locked: Type.Boolean(),
});

const UserListPage = Type.Object({
  users: Type.Array(UserListItem),
  next_token: Type.Optional(Type.String({ description: 'Present only when more results exist' })),
  total: Type.Integer({ description: 'Number of matching users' }),
});

/** Maximum number of users per page. */
export const maximumUsersPerPage = 1000;

export const UserOrder = Type.Union([
  Type.Literal('name'),
  Type.Literal('displayname'),
  Type.Literal('is_guest'),
  Type.Literal('admin'),
  Type.Literal('deactivated'),
  Type.Literal('user_type'),
  Type.Literal('avatar_url'),
  Type.Literal('shadow_banned'),
  Type.Literal('creation_ts'),
  Type.Literal('last_seen_ts'),
  Type.Literal('locked'),
]);
export type UserOrder = Static<typeof UserOrder>;

export const UserListQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  user_id: Type.Optional(Type.String({ description: 'Part of the user ID; overrides `name`' })),
  name: Type.Optional(Type.String({ description: 'Part of the local part or display name' })),
  guests: Type.Boolean({ default: true, description: 'Include guests' }),
  deactivated: Type.Boolean({ default: false, description: 'Include deactivated users' }),
  admins: Type.Optional(Type.Boolean({ description: 'Only server admins, or only other users' })),
  locked: Type.Boolean({ default: false, description: 'Include locked users' }),
  not_user_type: Type.Optional(
    Type.String({ description: 'Excluded user types; an empty string for regular users' }),
  ),
  order_by: Type.Unsafe<UserOrder>({ ...UserOrder, default: 'name' }),
  dir: Type.Union([Type.Literal('f'), Type.Literal('b')], { default: 'f' }),
});
export type UserListQuery = Static<typeof UserListQuery>;

/** `GET …/v2/users`. */
export const listUsers = { querystring: UserListQuery, response: { 200: UserListPage, ...failures } };

/** `GET …/v3/users`. Synapse's "List Accounts (V3)". */
export const listUsersV3 = {
  querystring: Type.Object({
    ...UserListQuery.properties,
    deactivated: Type.Optional(
      Type.Boolean({ description: 'Only deactivated users, or only other users; all if left out' }),
    ),
  }),
  response: { 200: UserListPage, ...failures },
};

/** The rooms that a user is in. Synapse's "List joined rooms of a user". */

const UserRooms = Type.Object({ joined_rooms: Type.Array(Type.String()), total: Type.Integer() });
export const getUserRooms = {
  params: Type.Object({ user_id: Type.String() }),
  response: { 200: UserRooms, ...failures },
};

/** Connections of a user. Matrix specification, client-server API, "Server administration". */

export const WhoIs = Type.Object({
  user_id: Type.String(),
  devices: Dictionary(
    Type.Object({
      sessions: Type.Array(
        Type.Object({
          connections: Type.Array(
            Type.Object({ ip: Type.String(), last_seen: Timestamp, user_agent: Type.String() }),
          ),
        }),
      ),
    }),
  ),
});
export type WhoIs = Static<typeof WhoIs>;
export const getWhoIs = {
  params: Type.Object({ user_id: Type.String() }),
  response: { 200: WhoIs, ...failures },
};

/**
 * Locking and suspending accounts through the client API. Matrix specification, client-server API, "Server
 * administration".
 */

const params = Type.Object({ userId: Type.String() });

const Locked = Type.Object({ locked: Type.Boolean() });
export const getLocked = { params, response: { 200: Locked, ...failures } };
export const putLocked = {
  params,
  body: Type.Object(Locked.properties, { additionalProperties: true }),
  response: { 200: Locked, ...failures },
};

const Suspended = Type.Object({ suspended: Type.Boolean() });
export const getSuspended = { params, response: { 200: Suspended, ...failures } };
export const putSuspended = {
  params,
  body: Type.Object(Suspended.properties, { additionalProperties: true }),
  response: { 200: Suspended, ...failures },
};

/** Redacts a user's events. Synapse's "Redact all the events of a user". */

export const RedactUserRequest = Type.Object(
  {
    rooms: Type.Array(Type.String(), {
      maxItems: 10_000,
      description: 'Room IDs; empty for all current and former rooms of the user',
    }),
    reason: Type.Optional(Type.String({ maxLength: 10_000 })),
    limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: "Maximum number of the user's newest events per room",
    }),
    use_admin: Type.Boolean({
      default: false,
      description: 'Redact as the admin instead of, where possible, as the user',
    }),
    after_ts: Type.Optional(
      Type.Integer({
        description: 'Only events sent at this time or later, in milliseconds since the Unix epoch',
      }),
    ),
    before_ts: Type.Optional(Type.Integer({ description: 'Only events sent at this time or earlier' })),
  },
  { additionalProperties: true },
);
export const redactUser = {
  params: Type.Object({ user_id: Type.String() }),
  body: RedactUserRequest,
  response: { 200: Type.Object({ redact_id: Type.String() }), ...failures },
};

/** Reasons by event ID. */
export const FailedRedactions = Dictionary(Type.String());
export const RedactStatus = Type.Object({
  status: TaskStatus,
  failed_redactions: Type.Optional(FailedRedactions),
  error: Type.Optional(Type.String()),
});
export type RedactStatus = Static<typeof RedactStatus>;
export const getRedactStatus = {
  params: Type.Object({ redact_id: Type.String() }),
  response: { 200: RedactStatus, ...failures },
};
