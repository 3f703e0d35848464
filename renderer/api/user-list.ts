import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { getList, isExpected } from './lenient.ts';
import type { PagedSource } from './paging.ts';
import { userQuery } from './user.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
/** Some versions send flags as numbers. */
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));

/** Fields vary by version. */
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
  creation_ts: time,
  last_seen_ts: time,
});
export type UserListItem = Static<typeof UserListItem>;

export type UserListFilter = {
  /** Part of a name, a whole email address or phone number, `provider:ID`, or part of a user ID with `@` or a colon. */
  search?: string | undefined;
  admins?: boolean | undefined;
  /** Includes deactivated users. */
  deactivated?: boolean | undefined;
  /** Leaves out the others, if the server can; older ones include deactivated users. */
  onlyDeactivated?: boolean | undefined;
  locked?: boolean | undefined;
  order: string;
  dir: 'f' | 'b';
};

/** Lists matching users. `GET …/v2/users`; version 3 can leave out users who aren't deactivated. */
export const userList = (server: Server, filter: UserListFilter): PagedSource<UserListItem> => ({
  key: [server.id, 'users', filter],
  async fetch(from, limit, signal) {
    const { search, admins, deactivated, onlyDeactivated, locked, order, dir } = filter;
    const query = new URLSearchParams({ from: String(from), limit: String(limit), order_by: order, dir });
    if (search) {
      const userId = await userIdIn(server, search, signal);
      query.set(userId === undefined ? 'name' : 'user_id', userId ?? search);
    }
    if (admins !== undefined) query.set('admins', String(admins));
    if (deactivated || onlyDeactivated) query.set('deactivated', 'true');
    if (locked) query.set('locked', 'true');
    return onlyDeactivated ? getDeactivated(server, query, signal) : getPage(server, 2, query, signal);
  },
});

const version3 = () => ({ isMissing: false });

/** Version 2 reads `deactivated=true` as "also deactivated". */
async function getDeactivated(server: Server, query: URLSearchParams, signal: AbortSignal) {
  const support = server.state(version3);
  try {
    if (!support.isMissing) return await getPage(server, 3, query, signal);
  } catch (error) {
    if (!(error instanceof NoSuchEndpoint)) throw error;
    support.isMissing = true;
  }
  return getPage(server, 2, query, signal);
}

/** Synapse refuses `guests=true`, the default, with delegated authentication. */
const guestSupport = () => ({ isRefused: false });

async function getPage(server: Server, version: 2 | 3, query: URLSearchParams, signal: AbortSignal) {
  const get = () => getList(server, UserListItem, 'users', `/v${version}/users?${query}`, { signal });
  const guests = server.state(guestSupport);
  if (guests.isRefused) query.set('guests', 'false');
  try {
    return await get();
  } catch (error) {
    if (query.has('guests') || !isAboutGuests(error)) throw error;
    query.set('guests', 'false');
    const page = await get();
    guests.isRefused = true;
    return page;
  }
}

const isAboutGuests = (error: unknown) =>
  error instanceof ConnectionFailure &&
  error.values.errcode === 'M_INVALID_PARAM' &&
  /\bguests\b/.test(String(error.values.said));

/** Returns the number of all users, including deactivated and locked ones. */
export const userTotalQuery = (server: Server, filter: UserListFilter) => {
  const everyone = userList(server, { ...filter, deactivated: true, locked: true });
  return queryOptions({
    queryKey: [...everyone.key, 'total'],
    queryFn: async ({ signal }) => (await everyone.fetch(0, 1, signal)).total,
    staleTime: 30_000,
  });
};

const FoundUser = Type.Object({ user_id: Type.String() });

/** Returns the ID of the user found; undefined if there is none or the server lacks the lookup. */
async function lookUp(server: Server, path: string, signal: AbortSignal) {
  try {
    return (await server.get(FoundUser, path, { signal })).user_id;
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchEndpoint) return undefined;
    throw error;
  }
}

const userOfThreepid = (server: Server, medium: string, address: string, signal: AbortSignal) =>
  lookUp(server, `/v1/threepid/${medium}/users/${encodeURIComponent(address)}`, signal);

const userOfExternalId = (server: Server, provider: string, id: string, signal: AbortSignal) =>
  lookUp(
    server,
    `/v1/auth_providers/${encodeURIComponent(provider)}/users/${encodeURIComponent(id)}`,
    signal,
  );

/** Whether the server can find users by email address. */
export const findsEmailQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'finds-mail'],
    queryFn: () => server.has('administration', '/v1/threepid/email/users/nobody%40nowhere.invalid'),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const isEmail = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

/** Returns the digits of an international phone number. */
const phoneIn = (text: string) =>
  /^\+[\d\s().\-/]{7,}$/.test(text) ? text.replace('(0)', '').replace(/\D/g, '') : undefined;

/** Returns the user ID, or part of one, in a search; undefined for a name. */
async function userIdIn(server: Server, search: string, signal: AbortSignal): Promise<string | undefined> {
  if (search.startsWith('@')) return search;
  if (isEmail(search)) return userOfThreepid(server, 'email', search.toLowerCase(), signal);
  const phone = phoneIn(search);
  if (phone !== undefined) return userOfThreepid(server, 'msisdn', phone, signal);
  // `provider:ID`, or part of a user ID.
  const [, provider, id] = /^([^:\s]+):(?!\/\/)(.+)$/.exec(search) ?? [];
  const found = provider && id && (await userOfExternalId(server, provider, id, signal));
  if (found) return found;
  return /^[^@\s]+:[^@\s]*$/.test(search) ? `@${search}` : undefined;
}

/** Returns a function that finds a user's display name in loaded data, without requests. */
export function loadedNames(
  queryClient: QueryClient,
  server: Server,
): (userId: string) => string | undefined {
  let listed: ReadonlyMap<string, string> | undefined;
  return (userId) => {
    listed ??= listedNames(queryClient, server);
    const user = queryClient.getQueryData(userQuery(server, userId).queryKey);
    return user?.displayname || listed.get(userId);
  };
}

/** Returns display names from loaded pages of users. */
function listedNames(queryClient: QueryClient, server: Server): ReadonlyMap<string, string> {
  const pages = queryClient.getQueriesData<{ rows?: readonly UserListItem[] }>({
    queryKey: [server.id, 'users'],
  });
  const rows = pages.flatMap(([, page]) => page?.rows ?? []);
  return new Map(rows.flatMap(({ name, displayname }) => (displayname ? [[name, displayname]] : [])));
}

// Scans all users page by page, for searches that the server lacks.

/** A short first page, to show results early. */
const firstPageSize = 100;
/** The server's maximum page size. */
const pageSize = 1000;

/**
 * Pages through all users, newest first. New registrations shift the others, so a user may be returned twice, but none
 * is missed.
 */
export const allUsersQuery = (server: Server) => {
  const everyone = userList(server, { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' });
  return infiniteQueryOptions({
    queryKey: [server.id, 'user-walk'],
    queryFn: ({ pageParam: from, signal }) =>
      everyone.fetch(from, from === 0 ? firstPageSize : pageSize, signal),
    initialPageParam: 0,
    getNextPageParam({ rows, total }, _pages, from) {
      const next = from + rows.length;
      return rows.length > 0 && next < total ? next : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
};

/** Enough accounts to show recent growth. */
const newestUsersCount = 500;

const everyone = { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' } as const;

/**
 * Returns the newest accounts; when more of them were created, in milliseconds, newest first; the number of all accounts,
 * and whether these are all.
 */
export const newestUsersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'newest-users'],
    queryFn: async ({ signal }) => {
      const { rows, total } = await userList(server, everyone).fetch(0, newestUsersCount, signal);
      const users = rows.filter(isExpected);
      const created = users.map(({ creation_ts: at }) => at).filter((at) => typeof at === 'number');
      return { total, newest: users.slice(0, 25), created, isAll: rows.length >= total };
    },
    staleTime: 5 * 60_000,
  });
