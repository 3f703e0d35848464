import { useEffect, useMemo, useState } from 'react';
import type { AnyReport, ReportOrder } from '../../../api/report-source.ts';
import { filterReports } from './filter.ts';
import { type ListContext, useLeftOut } from './left-out.ts';
import { scanRows } from './scan-rows.ts';
import { batchSize, type Reach, type Strategy } from './strategy.ts';
import type { Scan } from './use-scan.ts';

const screenful = 30;
/** A report whose row is wanted is looked for through this many. */
const mostForOne = 20_000;

export type ScanSource<Report extends AnyReport> = ReturnType<typeof useScanSource<Report>>;

type Progress = {
  /** Number of reports read, and of those that match. */
  looked: number;
  found: number;
  /** The last row on screen. */
  shownTo: number;
  /** Number of reports to read at the user's request. */
  goal: number;
  /** Whether a report is looked for whose row isn't known. */
  isSeeking: boolean;
};

/** Returns whether a scan reads more. */
export function readsOn(reach: Reach, { looked, found, shownTo, goal, isSeeking }: Progress): boolean {
  if (reach === 'end') return true;
  if (isSeeking && looked < mostForOne) return true;
  // Rows in an order of their own move while more are read.
  const wanted = screenful + (reach === 'screenful' ? shownTo : 0);
  return found < wanted || looked < (reach === 'batch' ? Math.max(goal, batchSize) : goal);
}

/** The matches among the reports that a scan has read, and how far it goes. */
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
  /** The report whose row is wanted. */
  const [sought, setSought] = useState<number>();
  const leftOut = useLeftOut(sought, list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search starts again
  useEffect(() => {
    setShownTo(0);
    setGoal(0);
    setStopped(false);
    setSought(undefined);
  }, [queue, text, reason, since, until, search.order, group]);

  const isSeeking = useMemo(() => {
    if (sought === undefined || leftOut) return false;
    const known = { found, scanned, dir, order, leftOut, isComing: false, isUnknown: true };
    const row = scanRows(known).placeOf(sought);
    return row === undefined || row + 1 >= found.length;
  }, [sought, leftOut, found, scanned, dir, order]);
  const goesOn =
    reach !== undefined &&
    !stopped &&
    !isComplete &&
    !query.isError &&
    readsOn(reach, { looked, found: found.length, shownTo, goal, isSeeking });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step that comes in is a reason to take the next
  useEffect(() => {
    if (goesOn) further();
  }, [goesOn, further, looked]);

  /** A scan to the end takes long: a row is waited for only so far. */
  const isComing = !strategy || (goesOn && !(reach === 'end' && looked >= mostForOne));
  const isUnknown = query.isError || looked === 0;
  const rows = useMemo(
    () => ({
      ...scanRows({ found, scanned, dir, order, leftOut, isComing, isUnknown }),
      look: (_first: number, last: number) => setShownTo(last),
      seek: setSought,
    }),
    [found, scanned, dir, order, leftOut, isComing, isUnknown],
  );
  return {
    rows,
    leftOutId: leftOut?.id,
    goesOn,
    /** Whether groups and an order of its own say something already. */
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
