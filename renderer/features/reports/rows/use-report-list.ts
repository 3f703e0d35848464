import { useMemo } from 'react';
import { useTeam } from '../../../team/use-team.ts';
import { directionOf, filterOf, isLookedThrough, type ReportSearch } from '../report-search.ts';
import { useFramedRows } from './use-framed-rows.ts';
import { useMessages } from './use-messages.ts';
import { useReportWalk } from './use-report-walk.ts';
import { useSievedRows } from './use-sieved-rows.ts';

/** The list that the address names: all reports by their place, or those found by looking through them. */
export function useReportList(search: ReportSearch) {
  const { marks } = useTeam();
  const { room, reporter, sender } = search;
  const filter = useMemo(() => filterOf({ room, reporter, sender }), [room, reporter, sender]);
  const dir = directionOf(search);
  const isSieved = isLookedThrough(search);

  const framed = useFramedRows(filter, dir);
  const walk = useReportWalk(filter, dir, isSieved || search.group !== undefined, framed.revision);
  const messages = useMessages(walk.reports);
  const sieved = useSievedRows(walk, search, marks, messages.read, isSieved);
  return {
    filter,
    dir,
    isSieved,
    framed,
    walk,
    messages,
    sieved,
    rows: isSieved ? sieved.rows : framed.rows,
  };
}

export type ReportListState = ReturnType<typeof useReportList>;
