import { queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type User, userQuery } from '../../../api/user.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { userWalkQuery } from '../../../api/user-list.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { serverName } from '../../../transport/server-name.ts';
import type { Sought } from './alike.ts';
import { localpart } from './localpart.ts';

export type LookAlikes = ReturnType<typeof useLookAlikes>;

/**
 * Who looks like somebody, found by looking through everyone on the server. What was looked through stays so for the
 * next search.
 *
 * @param search a part of a name, or a person's whole identifier
 */
export function useLookAlikes(search: string | undefined) {
  const { queryClient } = useConsole();
  const server = useServer();
  const sought = useSought(search);
  const options = useMemo(() => userWalkQuery(server), [server]);
  const isWanted = sought !== undefined;
  const query = useInfiniteQuery({ ...options, enabled: isWanted });
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const table = useQuery({ ...lookTable, enabled: isWanted });
  const alike = table.data?.alike;
  const error = query.error ?? table.error;

  const [stoppedFor, setStoppedFor] = useState<string>();
  const goesOn = isWanted && error === null && stoppedFor !== search && (data === undefined || hasNextPage);
  useEffect(() => {
    if (goesOn && data && !isFetching) void fetchNextPage();
  }, [goesOn, data, isFetching, fetchNextPage]);

  const found = useMemo(
    () => (alike && data && sought ? alike(data.pages, sought) : []),
    [alike, data, sought],
  );
  const [acted, setActed] = useState<readonly string[]>([]);
  const users = useAsTheyAre(found, acted);
  return {
    sought,
    users,
    /** How many were looked through, and how many there are. */
    looked: data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0,
    total: data?.pages.at(-1)?.total,
    error,
    isFetching,
    updatedAt: query.dataUpdatedAt,
    /** The first are there before it is known what looks alike. */
    goesOn: goesOn || (alike === undefined && error === null),
    isComplete: data !== undefined && !hasNextPage,
    stop: () => setStoppedFor(search),
    further() {
      setStoppedFor(undefined);
      if (table.error) void table.refetch();
      if (query.error) void (data ? fetchNextPage() : query.refetch());
    },
    anew() {
      setStoppedFor(undefined);
      void queryClient.resetQueries(options);
    },
    /** Of these it is asked how they are now. */
    actedOn: (userIds: readonly string[]) => setActed((before) => [...new Set([...before, ...userIds])]),
  };
}

/** What looks like what: a table of thousands of characters, which nobody else needs. */
const lookTable = queryOptions({
  queryKey: ['look-table'],
  queryFn: () => import('./alike.ts').then(({ alike }) => ({ alike })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What people see of the person who is meant, or what was typed. */
function useSought(search: string | undefined): Sought | undefined {
  const server = useServer();
  const userId = search && /^@[^:\s]+:\S+$/.test(search) ? search : undefined;
  const isLocal = userId?.endsWith(`:${serverName(server.connection)}`) === true;
  const { data, isPending } = useQuery({ ...userQuery(server, userId ?? ''), enabled: isLocal });
  const displayName = data?.displayname ?? undefined;
  const isAwaited = isLocal && isPending;
  return useMemo(() => {
    if (search === undefined || isAwaited) return undefined;
    if (userId === undefined) return { names: [search] };
    return { names: [localpart(userId), ...(displayName ? [displayName] : [])], userId };
  }, [search, userId, displayName, isAwaited]);
}

/** Those to whom something was done since they were found, as they are now: they aren't looked for again. */
function useAsTheyAre(found: readonly UserListItem[], acted: readonly string[]): readonly UserListItem[] {
  const server = useServer();
  const now = useQueries({
    queries: acted.map((userId) => userQuery(server, userId)),
    combine: (queries) => new Map(queries.flatMap(({ data }) => (data ? [[data.name, data] as const] : []))),
  });
  return useMemo(
    () =>
      found.map((user) => {
        const current = now.get(user.name);
        return current ? { ...user, ...statesIn(current) } : user;
      }),
    [found, now],
  );
}

const statesIn = ({ displayname, admin, deactivated, erased, locked, suspended, shadow_banned }: User) => ({
  displayname,
  admin,
  deactivated,
  erased,
  locked,
  suspended,
  shadow_banned,
});
