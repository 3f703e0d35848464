import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { eventReportQuery } from '../../../api/event-reports.ts';
import { matches } from '../../../api/report-walk.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks } from '../../../team/use-team.ts';
import type { ReportRows } from '../desk/report-rows.ts';
import { isLookedThrough, isNarrowed, orderOf } from '../narrowing.ts';
import { directionOf, filterOf, type ReportSearch } from '../report-search.ts';
import { byTotals, inOrderOfTime, type Subject, subjectsOf } from '../subjects/subjects.ts';
import { useSubjectTotals } from '../subjects/use-subject-totals.ts';
import { spanOf } from './span.ts';
import { useFramedRows } from './use-framed-rows.ts';
import { useMarkedReports } from './use-marked-reports.ts';
import { useMessages } from './use-messages.ts';
import { useMostlyOpen } from './use-mostly-open.ts';
import { useReportWalk } from './use-report-walk.ts';
import { useSievedRows } from './use-sieved-rows.ts';

/** The list that the address names: all reports by their place, or those found by looking through them. */
export function useReportList(search: ReportSearch) {
  const marks = useMarks();
  const { room, reporter, sender } = search;
  const filter = useMemo(() => filterOf({ room, reporter, sender }), [room, reporter, sender]);
  const dir = directionOf(search);
  const isMostlyOpen = useMostlyOpen(search, filter, dir);
  const isSieved = isLookedThrough(search) && !isMostlyOpen;

  const { since, until } = search;
  const span = useMemo(() => spanOf(since, until), [since, until]);
  const isWalked = isSieved || search.group !== undefined;

  const framed = useFramedRows(filter, dir, isMostlyOpen ? marks : undefined);
  const marked = useMarkedReports(search, filter, framed.query.data && framed.rows.count);
  const walk = useReportWalk(
    filter,
    dir,
    isWalked && marked !== undefined,
    framed.revision,
    marked?.reportIds,
    span,
  );
  const messages = useMessages(walk.reports, isWalked);
  const sieved = useSievedRows(walk, search, { filter, dir }, marks, messages.read, isWalked);

  const { group } = search;
  const order = orderOf(search);
  const { loaded } = sieved.rows;
  const { isComplete } = walk;
  /** All that there are to a subject, and not those that filters of the console left. */
  const isWhole = !search.queue && !isNarrowed(search);
  /** What of a group wasn't looked through, the server gives in the order of time: so it is walked through. */
  const areGroupsAsked = isWhole && !isComplete && !sieved.goesOn;
  const looked = useMemo(() => {
    if (!group) return undefined;
    const found = subjectsOf(loaded, group, filter, order);
    return areGroupsAsked ? inOrderOfTime(found, dir) : found;
  }, [group, loaded, filter, order, areGroupsAsked, dir]);
  const isGuessed = order === 'count' && !isSieved && !isComplete && !sieved.goesOn;
  const totals = useSubjectTotals(looked, isGuessed);
  const subjects = useMemo(() => (looked && totals ? byTotals(looked, totals) : looked), [looked, totals]);
  const { foundWith, leftOutId, rows: ungrouped } = sieved;
  const grouped = useMemo((): ReportRows | undefined => {
    if (!subjects || !group) return undefined;
    const inGroups = rowsInOrder(subjects);
    return {
      ...inGroups,
      placeOf(reportId) {
        const row = inGroups.rowOf(reportId);
        if (row !== undefined || ungrouped.placeOf?.(reportId) === undefined) return row;
        const all = subjectsOf(foundWith(reportId) ?? [], group, filter, order);
        const place = rowsInOrder(totals ? byTotals(all, totals) : all).rowOf(reportId) ?? 0;
        return reportId === leftOutId && place >= inGroups.count ? 0 : place;
      },
      ...(ungrouped.seek && { seek: ungrouped.seek }),
    };
  }, [subjects, group, filter, order, totals, ungrouped, foundWith, leftOutId]);
  const server = useServer();
  const queryClient = useQueryClient();
  const inFrame = useMemo(
    (): ReportRows => ({
      ...framed.rows,
      isLeftOut(reportId) {
        const report = queryClient.getQueryData(eventReportQuery(server, reportId).queryKey);
        return report !== undefined && !matches(report, filter);
      },
    }),
    [framed.rows, queryClient, server, filter],
  );
  const rows = grouped ?? (isSieved ? sieved.rows : inFrame);
  return {
    filter,
    dir,
    isSieved,
    /** It is looked through, for what is found or for groups. */
    isWalked,
    /** Each report has its place in it, and that place is known. */
    isFramed: framed.query.data !== undefined && !isWalked,
    framed,
    walk,
    messages,
    sieved,
    subjects,
    isWhole,
    areGroupsAsked,
    rows,
  };
}

/** Walking through groups goes from one to the next. */
function rowsInOrder(subjects: readonly Subject[]): ReportRows {
  const reports = subjects.flatMap((subject) => subject.reports);
  const rows = new Map(reports.map(({ id }, row) => [id, row]));
  return {
    count: reports.length,
    at: (row) => reports[row],
    rowOf: (reportId) => rows.get(reportId),
    loaded: reports,
    look: () => {},
  };
}

export type ReportListState = ReturnType<typeof useReportList>;
