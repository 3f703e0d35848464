import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Tombstones } from '../../../api/reports/deleted-reports.ts';
import { placeIn, type ReportRows } from '../list/report-rows.ts';

type SelectedReportsOptions<Report> = {
  /** Identifies the list: another one begins with none selected. */
  name: string;
  rows: ReportRows<Report>;
  tombstones: Tombstones;
};

/** The selected reports, which need not be loaded. */
function useSelectedReports<Report extends { id: number }>({
  name,
  rows,
  tombstones,
}: SelectedReportsOptions<Report>) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  /** Start of a range. */
  const anchor = useRef<number>(undefined);
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for another list
  useEffect(() => {
    // Keeps the identity of an empty selection, so that nothing renders.
    setChosen((current) => (current.size === 0 ? current : new Set()));
  }, [name]);

  // Deleted reports are deselected.
  const selected = useMemo(
    () => new Set([...chosen].filter((id) => !tombstones.has(id))),
    [chosen, tombstones],
  );

  /** Selected reports by ID, which may be far from the loaded ones. */
  const known = useRef(new Map<number, Report>());
  const remember = useCallback((reportId: number) => {
    const row = latest.current.rowOf(reportId);
    const report = row === undefined ? undefined : latest.current.at(row);
    if (report) known.current.set(reportId, report);
  }, []);
  const reports = useMemo(() => [...selected].flatMap((id) => known.current.get(id) ?? []), [selected]);

  const toggle = useCallback(
    (reportId: number) => {
      anchor.current = reportId;
      remember(reportId);
      setChosen((current) => {
        const next = new Set(current);
        if (!next.delete(reportId)) next.add(reportId);
        return next;
      });
    },
    [remember],
  );

  /** Selects the loaded reports between two. */
  const extend = useCallback(
    (fromId: number, toId: number) => {
      const all = latest.current;
      const end = all.rowOf(toId) ?? 0;
      const start = all.rowOf(fromId) ?? end;
      const range: number[] = [];
      for (let row = Math.min(start, end); row <= Math.max(start, end); row++) {
        const report = all.at(row);
        if (report) range.push(report.id);
      }
      for (const id of range) remember(id);
      setChosen((current) => new Set([...current, ...range]));
    },
    [remember],
  );

  const clear = useCallback(() => setChosen(new Set()), []);
  /** Selects or deselects reports, which need not be in the list. */
  const set = useCallback((changed: readonly Report[], isSelected: boolean) => {
    for (const report of changed) known.current.set(report.id, report);
    setChosen((current) => {
      const next = new Set(current);
      for (const { id } of changed) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  const selectLoaded = useCallback(() => {
    clear();
    set(latest.current.loaded, true);
  }, [clear, set]);

  return { anchor, selected, reports, toggle, extend, clear, set, selectLoaded };
}

export type ReportSelection<Report extends { id: number } = EventReportItem> = ReturnType<
  typeof useReportSelection<Report>
>;

type Options<Report> = {
  /** Identifies the list: another one begins with none selected. */
  name: string;
  rows: ReportRows<Report>;
  /** The list is known to have no rows. */
  isEmpty: boolean;
  /** Some rows couldn't be loaded. */
  isMissing: boolean;
  currentId: number | undefined;
  tombstones: Tombstones;
  open: (reportId: number | undefined, step: 'click' | 'key') => void;
  /** Scrolls to a row, so that it is loaded. */
  scrollToRow: (row: number) => void;
};

/** The open and the selected reports, and the steps from one to the next. */
export function useReportSelection<Report extends { id: number } = EventReportItem>({
  name,
  rows,
  isEmpty,
  isMissing,
  currentId,
  tombstones,
  open,
  scrollToRow,
}: Options<Report>) {
  const { anchor, extend, ...selected } = useSelectedReports({ name, rows, tombstones });
  const { toggle } = selected;
  /** The row that is being opened: keys can be faster than the address and the rows. */
  const opening = useRef<{ row: number; id: number | undefined }>(undefined);
  /** The last known row of the open report, which may be far from the loaded ones. */
  const lastRow = useRef<{ name: string; id: number; row: number }>(undefined);
  /** Runs once the row of the open report is known, which can be after the report is loaded. */
  const waiting = useRef<{ id: number; run: () => void }>(undefined);
  const [, rerender] = useState(0);
  const latest = useRef({ name, rows, currentId, tombstones });

  const openByKey = useCallback((reportId: number | undefined) => open(reportId, 'key'), [open]);

  function runWaiting() {
    const { id, run } = waiting.current ?? {};
    if (id === undefined || run === undefined) return;
    // Another report was opened in the meantime.
    if (id !== currentId || opening.current) waiting.current = undefined;
    else {
      const row = isEmpty ? 0 : placeIn(rows, id);
      if (row === undefined) return;
      waiting.current = undefined;
      lastRow.current = { name, id, row };
      run();
    }
  }

  useLayoutEffect(() => {
    latest.current = { name, rows, currentId, tombstones };
    const row = currentId === undefined ? undefined : rows.rowOf(currentId);
    if (row !== undefined && currentId !== undefined) lastRow.current = { name, id: currentId, row };
    runWaiting();
    if (!opening.current) return;
    if (opening.current.id !== undefined) {
      if (opening.current.id === currentId) opening.current = undefined;
      return;
    }
    const arrived = rows.at(opening.current.row);
    if (!arrived) return;
    opening.current.id = arrived.id;
    anchor.current = arrived.id;
    openByKey(arrived.id);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for another list
  useEffect(() => {
    opening.current = undefined;
    waiting.current = undefined;
  }, [name]);

  const press = useCallback(
    (reportId: number, event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey) return toggle(reportId);
      const { rows: all, currentId: opened } = latest.current;
      if (event.shiftKey) return extend(anchor.current ?? opened ?? reportId, reportId);
      anchor.current = reportId;
      opening.current = { row: all.rowOf(reportId) ?? 0, id: reportId };
      open(reportId, 'click');
    },
    [open, toggle, extend, anchor],
  );

  const goTo = useCallback(
    (row: number) => {
      const report = latest.current.rows.at(row);
      opening.current = { row, id: report?.id };
      scrollToRow(row);
      if (!report) return;
      anchor.current = report.id;
      openByKey(report.id);
    },
    [openByKey, scrollToRow, anchor],
  );

  const currentRow = useCallback((): number | undefined => {
    if (opening.current) return opening.current.row;
    const { rows: all, currentId: id } = latest.current;
    if (id === undefined) return undefined;
    const seen =
      lastRow.current?.id === id && lastRow.current.name === latest.current.name
        ? lastRow.current
        : undefined;
    return all.rowOf(id) ?? seen?.row;
  }, []);

  /** Returns whether a report is being opened. One that can't be loaded isn't waited for. */
  const isOpening = useCallback(() => {
    if (!opening.current) return false;
    const { id } = opening.current;
    return id === undefined ? !isMissing : id !== latest.current.currentId;
  }, [isMissing]);

  /** Calls back once the row of the open report is known, unless another one is opened first. */
  const whenRowKnown = useCallback((run: () => void) => {
    const { currentId: id } = latest.current;
    if (id === undefined) return;
    waiting.current = { id, run };
    latest.current.rows.seek?.(id);
    // The row may be known already.
    rerender((times) => times + 1);
  }, []);

  /** Returns the row after the open report, or the one that took its place. */
  const next = useCallback((): number | undefined => {
    const from = currentRow();
    if (from === undefined) return undefined;
    const { rows: all, currentId: id, tombstones: gone } = latest.current;
    const isLeft =
      !opening.current &&
      id !== undefined &&
      all.rowOf(id) === undefined &&
      (gone.has(id) || all.at(from) !== undefined || all.loaded.length === all.count);
    return isLeft ? from : from + 1;
  }, [currentRow]);

  const move = useCallback(
    (steps: number) => {
      const { rows: all, currentId: id } = latest.current;
      const { count } = all;
      if (count === 0) return;
      const from = currentRow();
      const isFar = !Number.isFinite(steps);
      if (from === undefined && !isFar) {
        const comes = id !== undefined && (all.seek || placeIn(all, id) !== undefined);
        return comes ? whenRowKnown(() => move(steps)) : goTo(0);
      }
      const start = steps > 0 && !isFar ? (next() ?? 0) - 1 : (from ?? 0);
      goTo(Math.min(count - 1, Math.max(0, start + steps)));
    },
    [goTo, currentRow, next, whenRowKnown],
  );

  return {
    ...selected,
    currentId,
    press,
    move,
    goTo,
    currentRow,
    next,
    isOpening,
    whenRowKnown,
  };
}
