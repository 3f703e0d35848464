import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type EventReportFilter, eventReportTotalQuery } from '../../../api/event-reports.ts';
import { walkRequests } from '../../../api/report-walk.ts';
import { useServer } from '../../../console-context.ts';
import { marksUpTo } from '../../../team/unreviewed.ts';
import { useMarks } from '../../../team/use-team.ts';
import type { ReportSearch } from '../report-search.ts';

/** Of what is resolved no more than these are asked for one by one, however long the list is. */
const mostOneByOne = 200;

type Decided = {
  queue: ReportSearch['queue'];
  filter: EventReportFilter;
  /** Those that lose their mark stay among them, so that nothing is asked for again. */
  reportIds: readonly number[] | undefined;
};

/**
 * The numbers of the reports of a queue, which the marks know, where to ask for each of them is better than to look
 * through the list: always for what is escalated, which is little and may be far down; for what is resolved where it
 * takes fewer requests.
 *
 * @param total how many reports there are to look through, as soon as that is known
 * @returns undefined while it isn't known yet; without `reportIds` the list is looked through
 */
export function useMarkedReports(
  { queue }: Pick<ReportSearch, 'queue'>,
  filter: EventReportFilter,
  total: number | undefined,
): { reportIds?: readonly number[] | undefined } | undefined {
  const marks = useMarks();
  const newest = useQuery(eventReportTotalQuery(useServer(), {}));
  const [decided, setDecided] = useState<Decided>();

  const state = queue === 'escalated' ? 'escalated' : queue === 'resolved' ? 'reviewed' : undefined;
  if (!state) return {};
  const before = decided?.queue === queue && decided?.filter === filter ? decided : undefined;
  if (before && !before.reportIds) return before;
  const isReady = (newest.data || newest.isError) && (total !== undefined || state === 'escalated');
  if (!isReady) return before;

  const known = new Set(before?.reportIds);
  const more = marksUpTo(marks, newest.data ? newest.data.newestId : Number.MAX_SAFE_INTEGER)
    .filter((mark) => mark.state === state && !known.has(mark.reportId))
    .map(({ reportId }) => reportId);
  if (before && more.length === 0) return before;
  const reportIds = [...known, ...more];
  const isBetter =
    state === 'escalated' || (reportIds.length <= mostOneByOne && more.length <= walkRequests(total ?? 0));
  const next = { queue, filter, reportIds: isBetter ? reportIds : undefined };
  setDecided(next);
  return next;
}
