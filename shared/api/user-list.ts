/** The administrators' list of users. The reference homeserver's "List Accounts" API, version 2. */
import { type Static, Type } from 'typebox';
import { failures, Nullable, Timestamp } from './common.ts';

export const UserListItem = Type.Object({
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
export type UserListItem = Static<typeof UserListItem>;

export const UserListPage = Type.Object({
  users: Type.Array(UserListItem),
  next_token: Type.Optional(Type.String({ description: 'Present only when more results exist' })),
  total: Type.Integer({ description: 'Number of matching users' }),
});
export type UserListPage = Static<typeof UserListPage>;

/** A page holds this many users at most, whatever `limit` asks for. */
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

/** Interface: "Other endpoints that are referenced", v2/users. */
export const listUsers = { querystring: UserListQuery, response: { 200: UserListPage, ...failures } };
