/** What a server on this machine shows testers and does for them. Contract: `shared/workbench/`. */
import { queryOptions } from '@tanstack/react-query';
import type { Connection } from '../../shared/connection.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import type { ConsoleHost } from '../transport/host.ts';

/** Addresses of servers on this machine: no other one is asked. */
export const thisMachine = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Whether a server has a workbench that this person may use. A server elsewhere is not asked. */
export const hasWorkbenchQuery = (host: ConsoleHost, connection: Connection) =>
  queryOptions({
    queryKey: [connection.id, 'workbench'],
    queryFn: async ({ signal }) => {
      const { status } = await host.request(
        connection.id,
        { method: 'GET', path: workbenchPaths.inspector },
        { signal },
      );
      return status === 200;
    },
    enabled: thisMachine.test(new URL(connection.baseUrl).hostname),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
