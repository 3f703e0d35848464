import { queryOptions } from '@tanstack/react-query';
import { ServerVersion } from '../../shared/api/server.ts';
import type { Server } from '../transport/server.ts';

/** Asked again and again while the console is open: the header's state dot lives on it. */
export const serverVersionQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-version'],
    queryFn: ({ signal }) => server.get(ServerVersion, '/v1/server_version', { signal }),
    refetchInterval: 20_000,
    retry: false,
  });
