import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Shell } from '../transport/host.ts';

/** Asked once; from then on the shell tells of every change. */
export const localServerQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['local-server'],
    queryFn: () => shell.localServerState(),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const startLocalServer = (shell: Shell) =>
  mutationOptions({ mutationFn: () => shell.startLocalServer() });

/**
 * Keeps what is known of the homeserver in the box up to date for as long as the page lives. Each time that
 * it runs again it may listen elsewhere, and what failed meanwhile is asked for again.
 */
export function followLocalServer(shell: Shell, queryClient: QueryClient, onRunning: () => Promise<void>) {
  shell.onLocalServerChange(async (state) => {
    queryClient.setQueryData(localServerQuery(shell).queryKey, state);
    if (state.status !== 'running') return;
    await onRunning();
    await queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state: { status } }) => status === 'error',
    });
  });
}
