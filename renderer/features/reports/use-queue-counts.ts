import { useMemo, useSyncExternalStore } from 'react';
import { useConsole, useServer } from '../../console-context.ts';
import { marksUpTo, useUnreviewed } from '../../team/unreviewed.ts';
import { useTeam } from '../../team/use-team.ts';
import type { QueueCounts } from './QueueTabs.tsx';
import { isFiltered, type Queue, type ReportSearch } from './report-search.ts';
import { isInQueue } from './rows/sieve.ts';
import type { ReportListState } from './rows/use-report-list.ts';

/**
 * Whole queues are known by the marks. Of those reports that match filters, the marks say nothing: they are
 * counted once all of them were looked through, and not guessed before.
 */
export function useQueueCounts(search: ReportSearch, { framed, walk }: ReportListState): QueueCounts {
  const { marks } = useTeam();
  const { deletedReports } = useConsole();
  const server = useServer();
  const unreviewed = useUnreviewed(server);
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  return useMemo(() => {
    const all = search.text || !framed.query.data ? undefined : framed.rows.count + framed.arrived;
    if (isFiltered(search)) {
      if (!walk.isComplete || search.text) return { ...(all !== undefined && { all }) };
      const count = (queue: Queue) => walk.reports.filter(({ id }) => isInQueue(queue, marks.get(id))).length;
      // Of the other queues nothing was asked.
      if (walk.isOneByOne && search.queue) {
        return { ...(all !== undefined && { all }), [search.queue]: count(search.queue) };
      }
      return {
        ...(all !== undefined && { all }),
        unreviewed: count('unreviewed'),
        escalated: count('escalated'),
        resolved: count('resolved'),
      };
    }
    const known = marksUpTo(marks, framed.query.data?.latestId).filter(
      ({ reportId }) => !tombstones.has(reportId),
    );
    const escalated = known.filter(({ state }) => state === 'escalated').length;
    return {
      ...(all !== undefined && { all }),
      ...(unreviewed !== undefined && { unreviewed }),
      escalated,
      resolved: known.length - escalated,
    };
  }, [search, framed, walk, marks, unreviewed, tombstones]);
}
