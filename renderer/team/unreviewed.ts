import { skipToken, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { eventReportTotalQuery } from '../api/event-reports.ts';
import type { Server } from '../transport/server.ts';
import type { Mark } from './entries.ts';
import { teamOf } from './team-store.ts';

const nothing = { subscribe: () => () => {}, snapshot: () => undefined };

/** How many reports have no mark; undefined while that isn't known. */
export function useUnreviewed(server: Server | undefined): number | undefined {
  const { data } = useQuery(
    server
      ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 }
      : { queryKey: ['no server'], queryFn: skipToken },
  );
  const store = server ? teamOf(server) : nothing;
  const team = useSyncExternalStore<ReturnType<typeof store.snapshot>>(store.subscribe, store.snapshot);
  return data && team && Math.max(0, data.total - marksUpTo(team.marks, data.newestId).length);
}

/** The marks of reports that a server can have whose newest is this one: anyone of the team may mark any number. */
export const marksUpTo = (marks: ReadonlyMap<number, Mark>, newestId: number | undefined): Mark[] =>
  [...marks.values()].filter(({ reportId }) => reportId <= (newestId ?? 0));
