import { QueryClient } from '@tanstack/react-query';
import { ConnectionFailure } from '../shared/connection.ts';
import { isRefusal } from './transport/refusal.ts';

/**
 * Only what may pass by itself is tried again, and soon: a person who waits wants to read what is wrong.
 * A timeout isn't among it, since its ten seconds are over already.
 */
function retry(failures: number, error: Error): boolean {
  if (!(error instanceof ConnectionFailure)) return false;
  if (error.code === 'unreachable') return failures < 1;
  return error.code === 'rate_limited' && failures < 3 && askedToWait(error) <= longestWait;
}

/** Whoever waits for longer than this, in milliseconds, reads meanwhile for how long. */
const longestWait = 5_000;

/** How long the server asks to be left alone, in milliseconds; 0 where it doesn't say. */
const askedToWait = (error: Error): number =>
  error instanceof ConnectionFailure && error.code === 'rate_limited'
    ? Number(error.values.seconds ?? 0) * 1000
    : 0;

/** Between two times that what is shown though it is old is asked for, in milliseconds. */
const whileOld = 30_000;
/** The same of what isn't there yet: at first, and at most when that goes on failing. */
const whileAbsent = 15_000;
const mostWhileAbsent = 120_000;
const passing = ['unreachable', 'timeout', 'rate_limited', 'refused', 'unexpected_reply'];

export type Asked = { state: { data: unknown; error: Error | null; errorUpdateCount: number } };

/** What could not be loaded is asked for until it is: more and more seldom where a person reads why instead of it. */
export function untilAskedAgain({ state: { data, error, errorUpdateCount } }: Asked) {
  if (!(error instanceof ConnectionFailure) || !passing.includes(error.code) || isRefusal(error))
    return false;
  // What was loaded part by part would be from its beginning.
  if (data instanceof Object && 'pages' in data) return false;
  const absent = Math.min(whileAbsent * 2 ** (errorUpdateCount - 1), mostWhileAbsent);
  return Math.max(data === undefined ? absent : whileOld, askedToWait(error));
}

export const consoleQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry,
        retryDelay: (failures, error) => Math.max(700 * 2 ** failures, askedToWait(error)),
        // A server on this machine answers without a network.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchInterval: untilAskedAgain,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
