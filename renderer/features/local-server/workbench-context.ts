import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { getHost, type HostState } from '../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import type { Workbench } from '../../transport/workbench.ts';

/** The API client for the server's developer tools; undefined if the server has none. */
export const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('useWorkbench requires WorkbenchGate');
  return workbench;
}

const stoppedPollMs = 2_000;

/** The state of the process that runs the server; null if it can't be controlled over HTTP. */
export const hostStateQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'host'],
    queryFn: async ({ signal }): Promise<HostState | null> => {
      try {
        return await get(getHost.response[200], workbenchPaths.host, signal);
      } catch (error) {
        if (error instanceof NoSuchEndpoint) return null;
        throw error;
      }
    },
    // The server may be started again in a terminal.
    refetchInterval: ({ state: { data } }) => (data?.status === 'stopped' ? stoppedPollMs : false),
  });
