import { InfiniteQueryObserver, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import type { ConnectionFailure } from '../shared/connection.ts';
import { isTemporary, retryAfterSeconds } from './transport/refusal.ts';

/** Of what is no failure of the connection, there is no code. */
type Failed = Error & Partial<Pick<ConnectionFailure, 'code' | 'values'>>;

/**
 * Only what may pass by itself is tried again, and soon: a person who waits wants to read what is wrong, and whoever
 * waits for longer than five seconds reads for how long. A timeout isn't among it, since its ten seconds are over.
 */
const retry = (failures: number, error: Failed): boolean =>
  error.code === 'unreachable'
    ? failures < 1
    : error.code === 'rate_limited' && failures < 3 && retryAfterSeconds(error) <= 5;

type ErrorState = { error: Failed | null; errorUpdatedAt: number };

export type Asked = { state: { data: unknown; error: Failed | null; errorUpdateCount: number } };

/** What could not be loaded is asked for until it is: more and more seldom where a person reads why instead of it. */
export function untilAskedAgain({ state: { data, error, errorUpdateCount } }: Asked) {
  if (!error || !isTemporary(error)) return false;
  // What was loaded part by part would be from its beginning.
  if ((data as { pages?: unknown } | null | undefined)?.pages) return false;
  const rest = data === undefined ? 15_000 * 2 ** Math.min(errorUpdateCount - 1, 3) : 30_000;
  return Math.max(rest, retryAfterSeconds(error) * 1000);
}

/** What is shown of a server and could not be asked for, or not all of it, or not yet. */
const failed = (serverId: string) => ({
  queryKey: [serverId],
  type: 'active' as const,
  predicate: ({ state: { status, fetchFailureCount, data } }: Query) =>
    status === 'error' || fetchFailureCount > 0 || isInPart(data),
});

const isInPart = (data: unknown) =>
  ((data as { unknown?: ReadonlySet<unknown> } | null | undefined)?.unknown?.size ?? 0) > 0;

/**
 * Asks for it once more; of what is loaded part by part, for the part that failed. Gives whether nothing failed again.
 */
export async function askFailedAgain(queryClient: QueryClient, serverId: string): Promise<boolean> {
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

/** What has failed just before its screen is there is not asked for once more by the screen, nor before the server said. */
const isWorthAnother = ({ state: { error, errorUpdatedAt } }: { state: ErrorState }) =>
  !error || Date.now() - errorUpdatedAt >= Math.max(1_000, retryAfterSeconds(error) * 1000);

export function consoleQueryClient() {
  /** The last failure of each query. */
  const failures = new WeakMap<object, Error>();
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => failures.set(query, error) }),
    defaultOptions: {
      queries: {
        // Where nothing was loaded yet, a query forgets its failure as it begins anew; a person goes on reading it.
        persister(ask, context, query) {
          if (query.state.errorUpdateCount && query.state.status === 'pending')
            query.setState({ status: 'error', error: failures.get(query) as Error });
          return ask(context);
        },
        retry,
        retryOnMount: isWorthAnother,
        retryDelay: (failures, error) => Math.max(700 * 2 ** failures, retryAfterSeconds(error) * 1000),
        // A server on this machine answers without a network.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchInterval: untilAskedAgain,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
