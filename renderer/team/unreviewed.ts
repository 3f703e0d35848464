import { skipToken, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { eventReportTotalQuery } from '../api/event-reports.ts';
import { useConsole } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import type { Mark } from './entries.ts';
import { teamOf } from './team-store.ts';

const nothing = { subscribe: () => () => {}, snapshot: () => undefined };

/** How many reports have no mark, without those that are being deleted; undefined while that isn't known. */
export function useUnreviewed(server: Server | undefined): number | undefined {
  const { deletedReports } = useConsole();
  const { data, dataUpdatedAt } = useQuery(
    server
      ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 }
      : { queryKey: ['no server'], queryFn: skipToken },
  );
  const store = server ? teamOf(server) : nothing;
  const team = useSyncExternalStore<ReturnType<typeof store.snapshot>>(store.subscribe, store.snapshot);
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () =>
    deletedReports.of(server?.id ?? ''),
  );
  if (!server || !data || !team?.areMarksKnown) return undefined;
  // The server counts these still, or did when it was asked.
  const waiting = [...tombstones].flatMap(([id, how]) => (how === 'waiting' ? id : []));
  const deleted = deletedReports.between(server.id, dataUpdatedAt, Number.POSITIVE_INFINITY);
  const leaving = [...waiting, ...deleted].filter((id) => !team.marks.has(id));
  return Math.max(0, data.total - marksUpTo(team.marks, data.newestId).length - leaving.length);
}

/** The marks of reports that a server can have whose newest is this one: anyone of the team may mark any number. */
export const marksUpTo = (marks: ReadonlyMap<number, Mark>, newestId: number | undefined): Mark[] =>
  [...marks.values()].filter(({ reportId }) => reportId <= (newestId ?? 0));
