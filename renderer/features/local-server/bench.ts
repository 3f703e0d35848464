import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { getHost, type HostState } from '../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import type { Workbench } from '../../transport/workbench.ts';

/** The workbench of the server that is looked into. */
export const Bench = createContext<Workbench | undefined>(undefined);

export function useBench(): Workbench {
  const bench = useContext(Bench);
  if (!bench) throw new Error('useBench is used where no server has a workbench');
  return bench;
}

const stoppedLooksEveryMs = 2_000;

/** How it is with the program that runs the server; null where there is none that takes orders. */
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
    // One that was stopped from here may be started again elsewhere.
    refetchInterval: ({ state: { data } }) => (data?.status === 'stopped' ? stoppedLooksEveryMs : false),
  });

export const useHostState = () => useQuery(hostStateQuery(useBench()));
