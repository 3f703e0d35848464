import { queryOptions } from '@tanstack/react-query';
import type { ConsoleHost } from '../transport/host.ts';

export const connectionsQuery = (host: ConsoleHost) =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: () => host.listConnections(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
