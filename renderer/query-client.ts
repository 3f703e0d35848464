import { QueryClient } from '@tanstack/react-query';
import { ConnectionFailure } from '../shared/connection.ts';

/**
 * Only what may pass by itself is tried again, and soon: a person who waits wants to read what is wrong.
 * A timeout isn't among it, since its ten seconds are over already.
 */
function retry(failures: number, error: Error): boolean {
  if (!(error instanceof ConnectionFailure)) return false;
  if (error.code === 'unreachable') return failures < 1;
  return error.code === 'rate_limited' && failures < 3;
}

export const consoleQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry,
        retryDelay: (failures) => 700 * 2 ** failures,
        // A server on this machine answers without a network.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
