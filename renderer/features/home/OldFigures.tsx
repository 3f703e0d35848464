import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { NotUpToDate } from '../../components/NotUpToDate.tsx';
import { useServer } from '../../console-context.ts';

const isOld = ({ state: { status, data } }: Query) => status === 'error' && data !== undefined;

/** Where some of what the cards show could not be loaded again: of when the oldest is. */
export function OldFigures() {
  const { id } = useServer();
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  const filter = { queryKey: [id], type: 'active', predicate: isOld } as const;
  const oldest = () => cache.findAll(filter).sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)[0];
  const query = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    oldest,
  );
  const { error, dataUpdatedAt } = query?.state ?? {};
  if (!error || dataUpdatedAt === undefined) return null;
  return (
    <NotUpToDate error={error} since={dataUpdatedAt} onRetry={() => queryClient.refetchQueries(filter)} />
  );
}
