import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LocalServerState } from '../../shared/bridge.ts';
import { localServerQuery } from '../api/local-server.ts';
import type { Shell } from '../transport/host.ts';

/** The state of the homeserver in the box, as the shell tells it. */
export function useLocalServerState(shell: Shell): LocalServerState | undefined {
  const queryClient = useQueryClient();
  const { data } = useQuery(localServerQuery(shell));
  useEffect(
    () =>
      shell.onLocalServerChange((state) => queryClient.setQueryData(localServerQuery(shell).queryKey, state)),
    [shell, queryClient],
  );
  return data;
}
