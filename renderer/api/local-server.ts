import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Shell } from '../transport/host.ts';

/** Asked once; from then on the shell tells of every change. */
export const localServerQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['local-server'],
    queryFn: () => shell.localServerState(),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const restartLocalServer = (shell: Shell) =>
  mutationOptions({ mutationFn: () => shell.restartLocalServer() });
