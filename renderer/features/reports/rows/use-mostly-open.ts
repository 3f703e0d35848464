import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventReportFilter, EventReportOrder } from '../../../api/event-reports.ts';
import { reportFrameQuery } from '../../../api/report-frame.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks, useOfTeam } from '../../../team/use-team.ts';
import { isByTime, isNarrowed } from '../narrowing.ts';
import type { ReportSearch } from '../report-search.ts';

/**
 * Whether the unreviewed of a list are best shown as that list without the few that have a mark: then every place
 * in it is near, as in the list of all. Where more than half have a mark, most of what one scrolls to would vanish as
 * it comes: these are looked through instead. It is decided when the list opens, and stays so while one works in it.
 */
export function useMostlyOpen(
  search: ReportSearch,
  filter: EventReportFilter,
  dir: EventReportOrder,
): boolean {
  const marks = useMarks();
  const areMarksComing = useOfTeam((team) => team.areMarksComing);
  const size = useQuery(reportFrameQuery(useServer(), filter, dir)).data?.size;
  const [decided, setDecided] = useState<{ filter: EventReportFilter; isMostlyOpen: boolean }>();

  if (search.queue !== 'unreviewed' || isNarrowed(search) || search.group || !isByTime(search)) return false;
  if (decided?.filter === filter) return decided.isMostlyOpen;
  // Nothing is looked through before it is known whether that is needed.
  if (size === undefined || areMarksComing) return true;
  const isMostlyOpen = marks.size * 2 <= size;
  setDecided({ filter, isMostlyOpen });
  return isMostlyOpen;
}
