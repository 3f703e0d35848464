import { queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { accountStates, userQuery } from '../../../api/user.ts';
import { allUsersQuery, type UserListItem } from '../../../api/user-list.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { localpartOf, serverName } from '../../../transport/server-name.ts';
import type { Target } from './find-look-alikes.ts';

export type LookAlikes = ReturnType<typeof useLookAlikes>;

/**
 * Scans all local users for look-alikes. Scanned pages are reused by the next search.
 *
 * @param search part of a name, or a full user ID
 */
export function useLookAlikes(search: string | undefined) {
  const { queryClient } = useConsole();
  const server = useServer();
  const target = useTarget(search);
  const options = useMemo(() => allUsersQuery(server), [server]);
  const enabled = target !== undefined;
  const query = useInfiniteQuery({ ...options, enabled });
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const matcher = useQuery({ ...matcherQuery, enabled });
  const findLookAlikes = matcher.data?.findLookAlikes;
  const error = query.error ?? matcher.error;

  const [stoppedFor, setStoppedFor] = useState<string>();
  const isScanning =
    enabled && error === null && stoppedFor !== search && (data === undefined || hasNextPage);
  useEffect(() => {
    if (isScanning && data && !isFetching) void fetchNextPage();
  }, [isScanning, data, isFetching, fetchNextPage]);

  const matches = useMemo(
    () => (findLookAlikes && data && target ? findLookAlikes(data.pages, target) : []),
    [findLookAlikes, data, target],
  );
  const [changed, setChanged] = useState<readonly string[]>([]);
  const users = useFreshStates(matches, changed);
  return {
    target,
    users,
    /** Numbers of users. */
    scanned: data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0,
    total: data?.pages.at(-1)?.total,
    error,
    isFetching,
    updatedAt: query.dataUpdatedAt,
    /** Also true while the matcher loads: users may be there before it. */
    isScanning: isScanning || (findLookAlikes === undefined && error === null),
    isComplete: data !== undefined && !hasNextPage,
    stop: () => setStoppedFor(search),
    resume() {
      setStoppedFor(undefined);
      if (matcher.error) void matcher.refetch();
      if (query.error) void (data ? fetchNextPage() : query.refetch());
    },
    restart() {
      setStoppedFor(undefined);
      void queryClient.resetQueries(options);
    },
    /** Reloads the states of users that an action changed. */
    refreshUsers: (userIds: readonly string[]) =>
      setChanged((before) => [...new Set([...before, ...userIds])]),
  };
}

/** Loaded on demand: the confusables table is large. */
const matcherQuery = queryOptions({
  queryKey: ['look-alike-matcher'],
  queryFn: () => import('./find-look-alikes.ts').then(({ findLookAlikes }) => ({ findLookAlikes })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the names to compare: the user's local part and display name, or the text itself. */
function useTarget(search: string | undefined): Target | undefined {
  const server = useServer();
  const userId = search && /^@[^:\s]+:\S+$/.test(search) ? search : undefined;
  const isLocal = userId?.endsWith(`:${serverName(server.connection)}`) === true;
  const { data, isPending } = useQuery({ ...userQuery(server, userId ?? ''), enabled: isLocal });
  const displayName = data?.displayname ?? undefined;
  const isLoading = isLocal && isPending;
  return useMemo(() => {
    if (search === undefined || isLoading) return undefined;
    if (userId === undefined) return { names: [search] };
    return { names: [localpartOf(userId), ...(displayName ? [displayName] : [])], userId };
  }, [search, userId, displayName, isLoading]);
}

/** Returns the matches with the current states of changed users, without scanning again. */
export function useFreshStates(
  matches: readonly UserListItem[],
  changed: readonly string[],
): readonly UserListItem[] {
  const server = useServer();
  const current = useQueries({
    queries: changed.map((userId) => userQuery(server, userId)),
    combine: (queries) => new Map(queries.flatMap(({ data }) => (data ? [[data.name, data] as const] : []))),
  });
  return useMemo(
    () =>
      matches.map((match) => {
        const user = current.get(match.name);
        return user ? { ...match, ...accountStates(user) } : match;
      }),
    [matches, current],
  );
}
