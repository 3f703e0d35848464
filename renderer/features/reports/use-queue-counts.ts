import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { askReports } from '../../api/event-reports.ts';
import { gatherReports } from '../../api/report-walk.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { marksUpTo, useUnreviewed } from '../../team/unreviewed.ts';
import { useAreMarksKnown, useMarks } from '../../team/use-team.ts';
import type { QueueCounts } from './desk/QueueTabs.tsx';
import { isFiltered, isNarrowed } from './narrowing.ts';
import type { Queue, ReportSearch } from './report-search.ts';
import { isInQueue, sieve } from './rows/sieve.ts';
import type { ReportListState } from './rows/use-report-list.ts';

/** So many that match filters are read to count them: a few requests. */
const mostCounted = 5_000;

/**
 * Whole queues are known by the marks. Of those reports that match filters, the marks say nothing: they are
 * counted once all of them were looked through, which is done for that alone where they are few, and not guessed
 * before.
 */
export function useQueueCounts(search: ReportSearch, list: ReportListState): QueueCounts {
  const { framed, walk, filter } = list;
  const marks = useMarks();
  const areMarksKnown = useAreMarksKnown();
  const { deletedReports } = useConsole();
  const server = useServer();
  const unreviewed = useUnreviewed(server);
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const { latestId, size = 0 } = framed.query.data ?? {};
  const counted = useQuery({
    queryKey: [server.id, 'event-reports', 'counted', filter, size, latestId],
    queryFn: ({ signal }) => gatherReports(askReports(server, filter, signal)),
    enabled: isFiltered(search) && !isNarrowed(search) && !walk.isComplete && size > 0 && size <= mostCounted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });
  return useMemo(() => {
    const narrowed = isNarrowed(search);
    const all = narrowed || !framed.query.data ? undefined : framed.total + framed.arrived;
    if (!areMarksKnown) return { ...(all !== undefined && { all }) };
    if (isFiltered(search)) {
      const { reason, since, until } = search;
      const found = walk.isComplete
        ? sieve(walk.reports, { reason, since, until }, marks, () => undefined)
        : counted.data?.filter(({ id }) => !tombstones.has(id));
      if (!found || search.text) return { ...(all !== undefined && { all }) };
      const count = (queue: Queue) => found.filter(({ id }) => isInQueue(queue, marks.get(id))).length;
      // Of the other queues nothing was asked.
      if (walk.isComplete && walk.isOneByOne && search.queue) {
        return { ...(all !== undefined && { all }), [search.queue]: count(search.queue) };
      }
      return {
        all: all ?? found.length,
        unreviewed: count('unreviewed'),
        escalated: count('escalated'),
        resolved: count('resolved'),
      };
    }
    // Of what marks there are reports, nobody knows before the server has answered.
    if (!framed.query.data) return {};
    const known = marksUpTo(marks, framed.query.data.latestId).filter(
      ({ reportId }) => !tombstones.has(reportId),
    );
    const escalated = known.filter(({ state }) => state === 'escalated').length;
    return {
      ...(all !== undefined && { all }),
      ...(unreviewed !== undefined && { unreviewed }),
      escalated,
      resolved: known.length - escalated,
    };
  }, [search, framed, walk, counted.data, marks, areMarksKnown, unreviewed, tombstones]);
}
