import { useQuery } from '@tanstack/react-query';
import type { LocalServerState } from '../../shared/bridge.ts';
import { localServerQuery } from '../api/shell.ts';
import type { Shell } from '../transport/host.ts';

/** The state of the homeserver in the box, as the shell tells it. */
export const useLocalServerState = (shell: Shell): LocalServerState | undefined =>
  useQuery(localServerQuery(shell)).data;
