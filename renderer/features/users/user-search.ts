import { type Static, Type } from 'typebox';
import type { UserListFilter } from '../../api/user-list.ts';
import { type SearchReader, searchOf } from '../../search.ts';
import { UploadsSearch } from '../../subjects/uploads/uploads-search.ts';

export const userOrders = ['name', 'displayname', 'admin', 'user_type', 'creation_ts', 'last_seen_ts'];

/** What the address of the list of users says. */
const UserSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  show: Type.Optional(Type.Enum(['administrators', 'others'])),
  deactivated: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  /** Whether a new one is being made. */
  make: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Enum(userOrders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type UserSearch = Static<typeof UserSearch>;
export const readUserSearch: SearchReader<UserSearch> = searchOf(UserSearch);

export const filterOf = ({ search, show, deactivated, locked, order, dir }: UserSearch): UserListFilter => ({
  search,
  admins: show && show === 'administrators',
  deactivated,
  locked,
  order: order ?? 'name',
  dir: dir ?? 'f',
});

export const noFilters = {
  search: undefined,
  show: undefined,
  deactivated: undefined,
  locked: undefined,
} satisfies Partial<UserSearch>;

/** Whether fewer are shown than without; deactivated and locked users are more. */
export const isFiltered = ({ search, show }: UserSearch) => search !== undefined || show !== undefined;

const userParts = ['overview', 'sessions', 'rooms', 'media', 'data'] as const;

/** What the address of a user's page says; of its lists also what is searched for, and in which order. */
const UserPageSearch = Type.Object({
  part: Type.Optional(Type.Enum([...userParts])),
  /** What is searched for among the sessions, the rooms or the account data. */
  find: Type.Optional(Type.String({ minLength: 1 })),
  /** The column that orders the sessions or rooms; one that isn't there orders nothing. */
  by: Type.Optional(Type.String()),
  way: Type.Optional(Type.Enum(['f', 'b'])),
  /** What is searched for among the connections, which stand below the sessions, and their order. */
  origin: Type.Optional(Type.String({ minLength: 1 })),
  originBy: Type.Optional(Type.String()),
  originWay: Type.Optional(Type.Enum(['f', 'b'])),
  ...UploadsSearch.properties,
});
export type UserPageSearch = Static<typeof UserPageSearch>;
export const readUserPageSearch: SearchReader<UserPageSearch> = searchOf(UserPageSearch);
