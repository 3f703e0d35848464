import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import type { PagedSource } from './paging.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
/** Some versions say a flag with a number. */
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));

/** Servers of other versions give more of it and less. */
const UserListItem = Type.Object({
  name: Type.String(),
  displayname: text,
  user_type: text,
  is_guest: flag,
  admin: flag,
  deactivated: flag,
  erased: flag,
  locked: flag,
  suspended: flag,
  shadow_banned: flag,
  approved: flag,
  creation_ts: time,
  last_seen_ts: time,
});
export type UserListItem = Static<typeof UserListItem>;

const UserListPage = Type.Object({ users: Type.Array(UserListItem), total: Type.Integer() });

export type UserListFilter = {
  /** A part of a name; of an identifier where it begins with `@`. */
  search?: string | undefined;
  admins?: boolean | undefined;
  /** Whether deactivated and locked users are listed, too. */
  deactivated?: boolean | undefined;
  locked?: boolean | undefined;
  order: string;
  dir: 'f' | 'b';
};

/** All users that match. Interface: "Other endpoints that are referenced", `GET …/v2/users`. */
export const userList = (server: Server, filter: UserListFilter): PagedSource<UserListItem> => ({
  key: [server.id, 'users', filter],
  async fetch(from, limit, signal) {
    const { search, admins, deactivated, locked, order, dir } = filter;
    const query = new URLSearchParams({ from: String(from), limit: String(limit), order_by: order, dir });
    if (search) query.set(search.startsWith('@') ? 'user_id' : 'name', search);
    if (admins !== undefined) query.set('admins', String(admins));
    if (deactivated) query.set('deactivated', 'true');
    if (locked) query.set('locked', 'true');
    const { users, total } = await server.get(UserListPage, `/v2/users?${query}`, { signal });
    return { rows: users, total };
  },
});
