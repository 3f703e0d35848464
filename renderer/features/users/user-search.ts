import { type Static, Type } from 'typebox';
import type { UserListFilter } from '../../api/user-list.ts';
import { type SearchReader, searchOf } from '../../search.ts';

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
