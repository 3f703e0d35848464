import { skipToken, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Server } from '../transport/server.ts';
import { eventReportTotalQuery } from './event-reports.ts';
import { reviewedReports } from './reviewed-reports.ts';

const noMarks: ReadonlySet<number> = new Set();
const nothing = { subscribe: () => () => {}, snapshot: () => noMarks };

/** How many reports nobody has marked as reviewed on this machine; undefined while that isn't known. */
export function useUnreviewed(server: Server | undefined): number | undefined {
  const { data } = useQuery(
    server
      ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 }
      : { queryKey: ['no server'], queryFn: skipToken },
  );
  const reviewed = server ? reviewedReports(server.id) : nothing;
  const marks = useSyncExternalStore(reviewed.subscribe, reviewed.snapshot);
  return data && Math.max(0, data.total - marks.size);
}
