import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Tombstones } from '../../../api/deleted-reports.ts';
import type { ReportRows } from './report-rows.ts';

type Options<Report> = {
  /** Names the list: another one begins with none selected. */
  name: string;
  rows: ReportRows<Report>;
  tombstones: Tombstones;
};

/** The reports that are selected: one by one, in ranges, all that are loaded, or whichever were gathered. */
export function useSelectedReports<Report extends { id: number }>({
  name,
  rows,
  tombstones,
}: Options<Report>) {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  /** Where a range begins. */
  const anchor = useRef<number>(undefined);
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another name
  useEffect(() => {
    // Where nothing was marked, nothing changes: the screen has just been rendered.
    setMarked((current) => (current.size === 0 ? current : new Set()));
  }, [name]);

  // A report that is gone can't stay marked.
  const selected = useMemo(
    () => new Set([...marked].filter((id) => !tombstones.has(id))),
    [marked, tombstones],
  );

  /** Those that are marked can be far from what is loaded. */
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
      setMarked((current) => {
        const next = new Set(current);
        if (!next.delete(reportId)) next.add(reportId);
        return next;
      });
    },
    [remember],
  );

  /** Selects all between two. */
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
      setMarked((current) => new Set([...current, ...range]));
    },
    [remember],
  );

  const clear = useCallback(() => setMarked(new Set()), []);
  /** Selects these, or takes them out of the selection; they need not be in the list's rows. */
  const set = useCallback((changed: readonly Report[], isSelected: boolean) => {
    for (const report of changed) known.current.set(report.id, report);
    setMarked((current) => {
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
