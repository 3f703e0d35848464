import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { askReports } from '../../api/event-reports.ts';
import { gatherReports } from '../../api/report-walk.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { marksUpTo, useUnreviewed } from '../../team/unreviewed.ts';
import { useAreMarksKnown, useMarks } from '../../team/use-team.ts';
import type { QueueCounts } from './desk/QueueTabs.tsx';
import type { Queue, ReportSearch } from './report-search.ts';
import { isFiltered, isNarrowed } from './report-search.ts';
import { isInQueue, sieve } from './rows/sieve.ts';
import type { ReportListState } from './rows/use-report-list.ts';

/** So many of those that match filters are read to count them, the newest: a few requests. */
const mostCounted = 5_000;
const none: EventReportItem[] = [];

/**
 * Whole queues are known by the marks. Of those reports that match filters, the marks say nothing: they are counted
 * once all of them were looked through, which is done for that alone where they are few. Before that, and of very
 * many, it is said how many there are at least.
 */
export function useQueueCounts(search: ReportSearch, list: ReportListState): QueueCounts {
  const { filter } = list;
  const { total, arrived } = list.framed;
  const { reports: walked, isComplete, isOneByOne } = list.walk;
  const { read } = list.messages;
  const marks = useMarks();
  const areMarksKnown = useAreMarksKnown();
  const { deletedReports } = useConsole();
  const server = useServer();
  const unreviewed = useUnreviewed(server);
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const { data: frame } = list.framed.query;
  const { latestId, size = 0 } = frame ?? {};
  const counted = useQuery({
    queryKey: [server.id, 'event-reports', 'counted', filter, size, latestId],
    queryFn: ({ signal }) => gatherReports(askReports(server, filter, signal), undefined, mostCounted),
    enabled: isFiltered(search) && !isNarrowed(search) && !isComplete && size > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });
  return useMemo(() => {
    const narrowed = isNarrowed(search);
    const all = narrowed || !frame ? undefined : total + arrived;
    if (!areMarksKnown) return { ...(all !== undefined && { all }) };
    if (isFiltered(search)) {
      const { text, reason, since, until } = search;
      const isCounted = narrowed || isComplete;
      const found = isCounted
        ? sieve(walked, { text, reason, since, until }, marks, read)
        : (size === 0 ? none : counted.data)?.filter(({ id }) => !tombstones.has(id));
      if (!found || !frame) return { ...(all !== undefined && { all }) };
      // What a message says that wasn't read, nobody knows.
      const isRead = !text || walked.every(({ event_id }) => read(event_id) !== undefined);
      const isAll = isCounted ? isComplete && isRead : size <= mostCounted;
      const known = marksUpTo(marks, latestId).filter(({ reportId }) => !tombstones.has(reportId));
      const bound = (queue: Queue, least = 0) => {
        const count = found.filter(({ id }) => isInQueue(queue, marks.get(id))).length;
        // All that there are in it, filtered or not, were found.
        const isFound =
          queue !== 'unreviewed' && count === known.filter((mark) => isInQueue(queue, mark)).length;
        if (isAll || isFound) return { [queue]: count };
        const atLeast = Math.max(count, least);
        return atLeast > 0 ? { [queue]: { atLeast } } : {};
      };
      // Of the other queues nothing was asked.
      if (isOneByOne && search.queue) {
        return { ...(all !== undefined && { all }), ...(isComplete && bound(search.queue)) };
      }
      return {
        ...(all !== undefined
          ? { all }
          : (isAll || found.length > 0) && { all: isAll ? found.length : { atLeast: found.length } }),
        ...bound('unreviewed', all === undefined ? 0 : all - known.length),
        ...bound('escalated'),
        ...bound('resolved'),
      };
    }
    // Of what marks there are reports, nobody knows before the server has answered.
    if (!frame) return {};
    const known = marksUpTo(marks, frame.latestId).filter(({ reportId }) => !tombstones.has(reportId));
    const escalated = known.filter(({ state }) => state === 'escalated').length;
    return {
      ...(all !== undefined && { all }),
      ...(unreviewed !== undefined && { unreviewed }),
      escalated,
      resolved: known.length - escalated,
    };
  }, [
    search,
    frame,
    total,
    arrived,
    walked,
    isComplete,
    isOneByOne,
    read,
    counted.data,
    size,
    latestId,
    marks,
    areMarksKnown,
    unreviewed,
    tombstones,
  ]);
}
