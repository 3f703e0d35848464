import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type EventReportFilter,
  type EventReportOrder,
  eventReportQuery,
  matches,
} from '../../../api/event-reports.ts';
import { reportFrameQuery } from '../../../api/report-frame.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks, useOfTeam } from '../../../team/use-team.ts';
import type { ListStage } from '../desk/ListBody.tsx';
import type { ReportRows } from '../desk/report-rows.ts';
import {
  directionOf,
  filterOf,
  isByTime,
  isFiltered,
  isLookedThrough,
  isNarrowed,
  isWhole,
  orderOf,
  type ReportSearch,
} from '../report-search.ts';
import {
  byTotals,
  grouper,
  inOrderOfTime,
  type Subject,
  subjectsOf,
  useStandingOrder,
  useSubjectTotals,
} from '../subjects/subjects.ts';
import { spanOf } from './sieve.ts';
import { useFramedRows } from './use-framed-rows.ts';
import { useMarkedReports } from './use-marked-reports.ts';
import { useMessages } from './use-messages.ts';
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
    search.group !== undefined,
  );
  const messages = useMessages(walk.reports, isWalked);
  const sieved = useSievedRows(walk, search, { filter, dir }, marks, messages.read, isWalked);

  const { group } = search;
  const order = orderOf(search);
  const { loaded } = sieved.rows;
  const { isComplete } = walk;
  const { areGroupsLong, isFirstLookOver } = sieved;
  const areGroupsAsked = isWhole(search) && (areGroupsLong ? isFirstLookOver : !isComplete && !sieved.goesOn);
  const inGroups = useMemo(() => group && grouper(group, filter, order), [group, filter, order]);
  const looked = useMemo(() => {
    if (!inGroups) return undefined;
    // What marks and words leave may change anywhere.
    const found = areGroupsLong || !group ? inGroups(loaded) : subjectsOf(loaded, group, filter, order);
    return areGroupsAsked && !areGroupsLong ? inOrderOfTime(found, dir) : found;
  }, [inGroups, group, loaded, filter, order, areGroupsAsked, areGroupsLong, dir]);
  const name = JSON.stringify({ ...search, report: undefined });
  const isGuessed = order === 'count' && !isSieved && !isComplete && isFirstLookOver;
  const totals = useSubjectTotals(looked, isGuessed, name);
  const ordered = useMemo(() => (looked && totals ? byTotals(looked, totals) : looked), [looked, totals]);
  const { subjects, ...standing } = useStandingOrder(
    ordered,
    name,
    isFirstLookOver && (!isGuessed || totals !== undefined),
  );
  const { foundWith, leftOutId, rows: ungrouped } = sieved;
  const grouped = useMemo((): ReportRows | undefined => {
    if (!subjects || !group) return undefined;
    const { count, at, rowOf, look } = rowsInOrder(subjects);
    return {
      count,
      at,
      rowOf,
      look,
      // In whichever order.
      loaded,
      placeOf(reportId) {
        const row = rowOf(reportId);
        if (row !== undefined || ungrouped.placeOf?.(reportId) === undefined) return row;
        const all = subjectsOf(foundWith(reportId) ?? [], group, filter, order);
        const place = rowsInOrder(totals ? byTotals(all, totals) : all).rowOf(reportId) ?? 0;
        return reportId === leftOutId && place >= count ? 0 : place;
      },
      ...(ungrouped.seek && { seek: ungrouped.seek }),
    };
  }, [subjects, group, loaded, filter, order, totals, ungrouped, foundWith, leftOutId]);
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
    /** How the order of groups stays, and comes. */
    standing,
    areGroupsAsked,
    rows,
  };
}

/** Walking through groups goes from one to the next. They can hold very many reports, of which few are asked for. */
function rowsInOrder(subjects: readonly Subject[]): Omit<ReportRows, 'loaded'> {
  const starts: number[] = [];
  let count = 0;
  for (const { reports } of subjects) {
    starts.push(count);
    count += reports.length;
  }
  const known = new Map<number, number | undefined>();
  function find(reportId: number): number | undefined {
    for (const [place, { reports }] of subjects.entries()) {
      const index = reports.findIndex(({ id }) => id === reportId);
      if (index !== -1) return (starts[place] ?? 0) + index;
    }
    return undefined;
  }
  return {
    count,
    at(row) {
      const place = starts.findLastIndex((start) => start <= row);
      return subjects[place]?.reports[row - (starts[place] ?? 0)];
    },
    rowOf(reportId) {
      if (!known.has(reportId)) known.set(reportId, find(reportId));
      return known.get(reportId);
    },
    look: () => {},
  };
}

export type ReportListState = ReturnType<typeof useReportList>;

/**
 * Whether the unreviewed of a list are best shown as that list without the few that have a mark: then every place
 * in it is near, as in the list of all. Where more than half have a mark, most of what one scrolls to would vanish as
 * it comes: these are looked through instead. It is decided when the list opens, and stays so while one works in it.
 */
function useMostlyOpen(search: ReportSearch, filter: EventReportFilter, dir: EventReportOrder): boolean {
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

/** What there is to show of the list that the address names. */
export function stageOf(list: ReportListState, search: ReportSearch): ListStage {
  const { framed, walk, sieved, isSieved, isWalked } = list;
  const filtered = isFiltered(search);
  const isQueueEmpty = search.queue && !filtered;
  const emptyQueue = isSieved && !walk.isComplete ? 'not found yet' : 'queue empty';
  // Of those with a mark there may be none, and others all the same.
  const isAny = walk.looked > 0 || (walk.isOneByOne && framed.rows.count > 0);
  if (isWalked ? isAny : list.rows.count > 0) {
    if (!isWalked || sieved.found > 0) return 'found';
    if (sieved.goesOn) return 'looking';
    if (isQueueEmpty) return emptyQueue;
  }
  if (!isWalked && isQueueEmpty && framed.total > 0) return emptyQueue;
  return filtered ? 'filtered out' : 'no reports';
}
