import {
  InfiniteQueryObserver,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  skipToken,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ConnectionFailure } from '../shared/connection.ts';
import { useStoreValue } from './subscribers.ts';
import { isTemporary, retryAfterSeconds } from './transport/refusal.ts';

/** Only a `ConnectionFailure` has a code. */
type Failed = Error & Partial<Pick<ConnectionFailure, 'code' | 'values'>>;

/**
 * Retries only short interruptions: the user should soon see the error, and a rate limit of over five seconds is shown
 * with its duration. Timeouts have taken ten seconds already.
 */
const retry = (failures: number, error: Failed): boolean =>
  error.code === 'unreachable'
    ? failures < 1
    : error.code === 'rate_limited' && failures < 3 && retryAfterSeconds(error) <= 5;

type ErrorState = { error: Failed | null; errorUpdatedAt: number };

export type FailedQuery = { state: { data: unknown; error: Failed | null; errorUpdateCount: number } };

/** Returns the interval at which a failed query is repeated, in milliseconds; with backoff while there is no data. */
export function untilRefetch({ state: { data, error, errorUpdateCount } }: FailedQuery) {
  if (!error || !isTemporary(error)) return false;
  // A paged query would be loaded again from its beginning.
  if ((data as { pages?: unknown } | null | undefined)?.pages) return false;
  const rest = data === undefined ? 15_000 * 2 ** Math.min(errorUpdateCount - 1, 3) : 30_000;
  return Math.max(rest, retryAfterSeconds(error) * 1000);
}

/** A server's visible queries that failed, in whole or in part, or are being retried. */
const failed = (serverId: string) => ({
  queryKey: [serverId],
  type: 'active' as const,
  predicate: ({ state: { status, fetchFailureCount, data } }: Query) =>
    status === 'error' || fetchFailureCount > 0 || isInPart(data),
});

const isInPart = (data: unknown) =>
  ((data as { unknown?: ReadonlySet<unknown> } | null | undefined)?.unknown?.size ?? 0) > 0;

/**
 * Repeats them; paged queries only from the page that failed. Returns whether all succeeded.
 */
export async function retryFailedQueries(queryClient: QueryClient, serverId: string): Promise<boolean> {
  const all = failed(serverId);
  const further = queryClient
    .getQueryCache()
    .findAll(all)
    .flatMap(({ state, observers }) =>
      state.fetchMeta?.fetchMore ? observers.filter((each) => each instanceof InfiniteQueryObserver) : [],
    );
  await Promise.all([
    ...further.map((observer) => observer.fetchNextPage({ cancelRefetch: false })),
    queryClient.refetchQueries(
      { ...all, predicate: (query) => all.predicate(query) && !query.state.fetchMeta?.fetchMore },
      { cancelRefetch: false },
    ),
  ]);
  return queryClient.getQueryCache().findAll(all).length === 0;
}

/** A screen doesn't repeat a query that just failed, or before the server's `retry_after_ms` has passed. */
const isWorthAnother = ({ state: { error, errorUpdatedAt } }: { state: ErrorState }) =>
  !error || Date.now() - errorUpdatedAt >= Math.max(1_000, retryAfterSeconds(error) * 1000);

export function consoleQueryClient() {
  /** The last failure of each query. */
  const failures = new WeakMap<object, Error>();
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => failures.set(query, error) }),
    defaultOptions: {
      queries: {
        // Without data, TanStack Query drops the error when it retries; the screen keeps showing it.
        persister(ask, context, query) {
          if (query.state.errorUpdateCount && query.state.status === 'pending')
            query.setState({ status: 'error', error: failures.get(query) as Error });
          return ask(context);
        },
        retry,
        retryOnMount: isWorthAnother,
        retryDelay: (failures, error) => Math.max(700 * 2 ** failures, retryAfterSeconds(error) * 1000),
        // A server on this computer needs no network.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchInterval: untilRefetch,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Stands in for a server's query while none is connected. */
export const idleQuery = { queryKey: ['no server'], queryFn: skipToken as typeof skipToken };

/** Returns a value of the query cache, and renders again when it changes. `read` must return a stable reference. */
export function useCachedValue<Value>(read: (cache: QueryCache) => Value): Value {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  return useStoreValue({ subscribe }, () => read(cache));
}
