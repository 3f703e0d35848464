import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Static, Type } from 'typebox';
import type { UserListFilter } from '../../api/user-list.ts';
import type { Sort } from '../../components/table/columns.tsx';
import { type SearchReader, searchOf } from '../../search.ts';
import { UserMediaSearch } from '../../subjects/media/media-search.ts';
import { scopes } from './related/scopes.ts';
import { isSegment, type UserSegment, userTraits } from './segments/user-traits.ts';

const userOrders = ['name', 'displayname', 'admin', 'user_type', 'creation_ts', 'last_seen_ts'];

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const UserSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  show: Type.Optional(Type.Enum(['administrators', 'others'])),
  deactivated: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  is: Type.Optional(Type.Array(Type.Enum([...userTraits]))),
  idp: Type.Optional(Type.String({ minLength: 1 })),
  inactive: Type.Optional(Day),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  /** The dialog for a new user is open. */
  make: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Enum(userOrders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type UserSearch = Static<typeof UserSearch>;
export const readUserSearch: SearchReader<UserSearch> = searchOf(UserSearch);

export const filterOf = ({
  search,
  show,
  deactivated,
  locked,
  is,
  order,
  dir,
}: UserSearch): UserListFilter => ({
  search,
  admins: show && show === 'administrators',
  deactivated,
  onlyDeactivated: is?.includes('deactivated') || undefined,
  // Lists omit locked users by default.
  locked: locked ?? (is?.includes('locked') || undefined),
  order: order ?? 'name',
  dir: dir ?? 'f',
});

export const noFilters = {
  search: undefined,
  show: undefined,
  deactivated: undefined,
  locked: undefined,
  is: undefined,
  idp: undefined,
  inactive: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<UserSearch>;

/** True if a filter hides users. Including deactivated or locked ones only adds rows. */
export const isFiltered = (address: UserSearch) =>
  address.search !== undefined || address.show !== undefined || isSegment(segmentOf(address));

/** Returns the filters that the server lacks. */
export const segmentOf = ({ is, idp, inactive, from, to }: UserSearch): UserSegment => ({
  is,
  idp,
  inactive,
  from,
  to,
});

const UserPageSearch = Type.Object({
  part: Type.Optional(Type.Enum(['overview', 'sessions', 'rooms', 'pushers', 'media', 'data'])),
  /** Search text in sessions, rooms or account data. */
  find: Type.Optional(Type.String({ minLength: 1 })),
  /** Sort column of sessions or rooms; unknown ones are ignored. */
  by: Type.Optional(Type.String()),
  way: Type.Optional(Type.Enum(['f', 'b'])),
  /** Shown memberships in the list of rooms. */
  membership: Type.Optional(Type.Enum(['join', 'invite', 'knock', 'leave', 'ban'])),
  /** Search and sort of the connections below the sessions. */
  origin: Type.Optional(Type.String({ minLength: 1 })),
  originBy: Type.Optional(Type.String()),
  originWay: Type.Optional(Type.Enum(['f', 'b'])),
  ...UserMediaSearch.properties,
});
export type UserPageSearch = Static<typeof UserPageSearch>;
export const readUserPageSearch: SearchReader<UserPageSearch> = searchOf(UserPageSearch);

/** Search and sort of the sessions or rooms on a user's page. */
export function useListSearch(defaultSort: Sort) {
  const {
    find,
    by = defaultSort.order,
    way = defaultSort.dir,
  } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const change = (changes: Partial<UserPageSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  return {
    find,
    onFind: (next: string | undefined) => change({ find: next }),
    sort: { order: by, dir: way },
    onSort: ({ order, dir }: Sort) => change({ by: order, way: dir }),
  };
}

const RelatedSearch = Type.Object({
  /** User ID. */
  of: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  scope: Type.Optional(Type.Enum([...scopes])),
  strong: Type.Optional(Type.Boolean()),
});
export type RelatedSearch = Static<typeof RelatedSearch>;
export const readRelatedSearch: SearchReader<RelatedSearch> = searchOf(RelatedSearch);

const LookAlikeSearch = Type.Object({
  /** Part of a name, or a full user ID. */
  search: Type.Optional(Type.String({ minLength: 1 })),
  order: Type.Optional(Type.Enum(userOrders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type LookAlikeSearch = Static<typeof LookAlikeSearch>;
export const readLookAlikeSearch: SearchReader<LookAlikeSearch> = searchOf(LookAlikeSearch);
