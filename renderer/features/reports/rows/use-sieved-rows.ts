import { useCallback, useEffect, useMemo, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { EventReportFilter, EventReportOrder } from '../../../api/event-reports.ts';
import { isBefore } from '../../../api/report-order.ts';
import type { Mark } from '../../../team/entries.ts';
import { type ReportRows, rowsOf } from '../desk/report-rows.ts';
import type { ReportSearch } from '../report-search.ts';
import { isByTime, isWhole } from '../report-search.ts';
import { type Messages, sieve } from './sieve.ts';
import { useLeftOut } from './use-left-out.ts';
import type { ReportWalk } from './use-report-walk.ts';

const noMarks: ReadonlyMap<number, Mark> = new Map();
const unread: Messages = () => undefined;
const screenful = 30;
/** Groups, and an order that isn't the walk's, would say little of fewer; in that order, so many more are looked through at a click. */
export const atOnce = 5000;
/** So many are looked through for where one report stands: more than that, and nobody waits for it. */
const mostForOne = 20_000;

/**
 * What was found among the reports that were looked through. It looks on until there is a screenful below
 * what is on screen; for groups to the end; where the order isn't the walk's, it looks through many at once, and on
 * only at a click, since what is read would move.
 */
export function useSievedRows(
  walk: ReportWalk,
  search: ReportSearch,
  { filter, dir }: { filter: EventReportFilter; dir: EventReportOrder },
  marks: ReadonlyMap<number, Mark>,
  messages: Messages,
  enabled: boolean,
) {
  const { queue, text, reason, since, until, group } = search;
  const { reports, looked, isComplete, further, query } = walk;
  /** The server gives the reports of each group in the order of time: so they are walked through. */
  const areGroupsLong = group !== undefined && isWhole(search) && (walk.total ?? 0) > atOnce;
  const order = areGroupsLong ? undefined : search.order;
  const found = useMemo(
    () => (enabled ? sieve(reports, { queue, text, reason, since, until, order }, marks, messages) : []),
    [enabled, reports, queue, text, reason, since, until, order, marks, messages],
  );
  const rowsById = useMemo(() => rowsOf(found), [found]);

  const [shownTo, setShownTo] = useState(0);
  const [goal, setGoal] = useState(0);
  const [stopped, setStopped] = useState(false);
  /** Whose place somebody waits for. */
  const [sought, setSought] = useState<number>();
  const leftOut = useLeftOut(sought, search, filter, marks, messages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins anew
  useEffect(() => {
    setShownTo(0);
    setGoal(0);
    setStopped(false);
    setSought(undefined);
  }, [queue, text, reason, since, until, search.order, group]);
  const look = useCallback((_first: number, last: number) => setShownTo(last), []);
  const isOrdered = !isByTime({ order });
  const wanted = screenful + (isOrdered ? 0 : shownTo);
  const isThrough = group !== undefined && !walk.isOneByOne;
  const least = isThrough ? Number.POSITIVE_INFINITY : group || isOrdered ? Math.max(goal, atOnce) : goal;
  const { walked } = walk;
  /** What was found, with one that need not be among it. */
  const foundWith = useCallback(
    (reportId: number): EventReportItem[] | undefined => {
      if (rowsById.has(reportId)) return found;
      const report =
        walked.find(({ id }) => id === reportId) ?? (leftOut?.id === reportId ? leftOut.report : undefined);
      if (!report) return undefined;
      const before = walked.filter((other) => rowsById.has(other.id) && isBefore(dir, other, report));
      const after = walked.filter((other) => rowsById.has(other.id) && isBefore(dir, report, other));
      return sieve([...before, report, ...after], { order }, noMarks, unread);
    },
    [found, rowsById, walked, leftOut, dir, order],
  );
  const placeOf = useCallback(
    (reportId: number): number | undefined =>
      rowsById.get(reportId) ?? foundWith(reportId)?.findIndex(({ id }) => id === reportId),
    [rowsById, foundWith],
  );
  const place = useMemo(() => (sought === undefined ? undefined : placeOf(sought)), [sought, placeOf]);
  const isSought =
    sought !== undefined &&
    !leftOut &&
    (place === undefined || place + 1 >= found.length) &&
    looked < mostForOne;
  const goesOn =
    enabled &&
    !stopped &&
    !isComplete &&
    !query.isError &&
    (found.length < wanted || looked < least || isSought);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step that comes in is a reason to take the next
  useEffect(() => {
    if (goesOn) further();
  }, [goesOn, further, looked]);

  const { halt } = walk;
  const isFirstLookOver = isComplete || looked >= atOnce || !goesOn;
  /** Nobody waits until all are looked through for the place of one. */
  const isPlaceComing = goesOn && !(isThrough && looked >= mostForOne);

  const rows: ReportRows = useMemo(
    () => ({
      count: found.length,
      at: (row) => found[row],
      rowOf: (reportId) => rowsById.get(reportId),
      loaded: found,
      look,
      placeOf(reportId) {
        const row = placeOf(reportId);
        if (leftOut?.id === reportId && found.length > 0) {
          // Nobody waits until something is found that comes after it: one begins with what is there.
          return row !== undefined && row < found.length ? row : 0;
        }
        if (row !== undefined && (row + 1 < found.length || !isPlaceComing)) return row;
        // What isn't there, as far as anyone looks, stands nowhere: one goes on at the beginning.
        return isPlaceComing || query.isError || looked === 0 ? undefined : 0;
      },
      seek: setSought,
    }),
    [found, rowsById, look, placeOf, leftOut, isPlaceComing, query.isError, looked],
  );
  return {
    rows,
    foundWith,
    leftOutId: leftOut?.id,
    found: found.length,
    goesOn,
    /** Whether there is enough for groups, and for an order that isn't the walk's, to say something. */
    isFirstLookOver,
    areGroupsLong,
    stop() {
      setStopped(true);
      halt();
    },
    lookFurther() {
      setStopped(false);
      setGoal(looked + atOnce);
      if (query.isError) void query.fetchNextPage();
    },
  };
}
