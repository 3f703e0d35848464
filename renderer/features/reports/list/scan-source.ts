import { useEffect, useMemo, useState } from 'react';
import type { AnyReport, ReportOrder } from '../../../api/reports/report-source.ts';
import { filterReports } from './filter.ts';
import { type ListContext, useLeftOut } from './left-out.ts';
import { scanRows } from './scan-rows.ts';
import { batchSize, type Reach, type Strategy } from './strategy.ts';
import type { Scan } from './use-scan.ts';

const screenful = 30;
/** Number of reports to scan for the row of one report. */
const maxForRow = 20_000;

type Progress = {
  /** Number of reports read, and of those that match. */
  looked: number;
  found: number;
  /** The last row on screen. */
  shownTo: number;
  /** Number of reports to read at the user's request. */
  goal: number;
  /** Whether a report's row is being searched for. */
  isSeeking: boolean;
};

/** Returns whether a scan reads more. */
export function readsOn(reach: Reach, { looked, found, shownTo, goal, isSeeking }: Progress): boolean {
  if (reach === 'end') return true;
  if (isSeeking && looked < maxForRow) return true;
  // Sorted rows move while more are read.
  const wanted = screenful + (reach === 'screenful' ? shownTo : 0);
  return found < wanted || looked < (reach === 'batch' ? Math.max(goal, batchSize) : goal);
}

/** Rows of the matches of a scan, with its progress. */
export function useScanSource<Report extends AnyReport>(
  scan: Scan<Report>,
  strategy: Strategy | undefined,
  dir: ReportOrder,
  list: ListContext<Report>,
) {
  const { search, marks, messages } = list;
  const { queue, text, reason, since, until, group } = search;
  const { reports, scanned, looked, isComplete, further, halt, query } = scan;
  const isLong = strategy?.kind === 'groups' && strategy.isLong;
  const reach = strategy && strategy.kind !== 'window' ? strategy.reach : undefined;
  const order = isLong ? undefined : search.order;
  const found = useMemo(
    () =>
      reach ? filterReports(reports, { queue, text, reason, since, until, order }, marks, messages) : [],
    [reach, reports, queue, text, reason, since, until, order, marks, messages],
  );

  const [shownTo, setShownTo] = useState(0);
  const [goal, setGoal] = useState(0);
  const [stopped, setStopped] = useState(false);
  /** The report whose row is searched for. */
  const [wanted, setWanted] = useState<number>();
  const leftOut = useLeftOut(wanted, list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts for another search
  useEffect(() => {
    setShownTo(0);
    setGoal(0);
    setStopped(false);
    setWanted(undefined);
  }, [queue, text, reason, since, until, search.order, group]);

  const isSeeking = useMemo(() => {
    if (wanted === undefined || leftOut) return false;
    const known = { found, scanned, dir, order, leftOut, isReading: false, isUnknown: true };
    const row = scanRows(known).placeOf(wanted);
    return row === undefined || row + 1 >= found.length;
  }, [wanted, leftOut, found, scanned, dir, order]);
  const goesOn =
    reach !== undefined &&
    !stopped &&
    !isComplete &&
    !query.isError &&
    readsOn(reach, { looked, found: found.length, shownTo, goal, isSeeking });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step triggers the next
  useEffect(() => {
    if (goesOn) further();
  }, [goesOn, further, looked]);

  /** A scan to the end takes long, so waiting for a row is limited. */
  const isReading = !strategy || (goesOn && !(reach === 'end' && looked >= maxForRow));
  const isUnknown = query.isError || looked === 0;
  const rows = useMemo(
    () => ({
      ...scanRows({ found, scanned, dir, order, leftOut, isReading, isUnknown }),
      look: (_first: number, last: number) => setShownTo(last),
      seek: setWanted,
    }),
    [found, scanned, dir, order, leftOut, isReading, isUnknown],
  );
  return {
    rows,
    leftOutId: leftOut?.id,
    goesOn,
    /** Whether enough was read for groups and sorting to be meaningful. */
    isSettled: reach !== undefined && (isComplete || looked >= batchSize || !goesOn),
    stop() {
      setStopped(true);
      halt();
    },
    scanFurther() {
      setStopped(false);
      setGoal(looked + batchSize);
      if (query.isError) void query.fetchNextPage();
    },
  };
}
