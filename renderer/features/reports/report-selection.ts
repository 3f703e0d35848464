import { type MouseEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

export type ReportSelection = ReturnType<typeof useReportSelection>;

/**
 * The report that is open and the reports that are marked, and how they move.
 * `ids` is the list as it is shown.
 */
export function useReportSelection(
  ids: readonly number[],
  currentId: number | undefined,
  open: (reportId: number | undefined, step: 'click' | 'key') => void,
) {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  /** Where a range begins. */
  const anchor = useRef<number>(undefined);
  /** Keys can come faster than the address changes: the report that is on its way to being open. */
  const heading = useRef<{ to: number | undefined }>(undefined);
  const latest = useRef({ ids, currentId });
  useLayoutEffect(() => {
    latest.current = { ids, currentId };
    if (heading.current?.to === currentId) heading.current = undefined;
  });

  // A report that is gone from the list can't stay marked.
  const selected = useMemo(() => {
    const shown = new Set(ids);
    return new Set([...marked].filter((id) => shown.has(id)));
  }, [ids, marked]);

  const toggle = useCallback((reportId: number) => {
    anchor.current = reportId;
    setMarked((current) => {
      const next = new Set(current);
      if (!next.delete(reportId)) next.add(reportId);
      return next;
    });
  }, []);

  const press = useCallback(
    (reportId: number, event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey) return toggle(reportId);
      if (!event.shiftKey) {
        anchor.current = reportId;
        heading.current = { to: reportId };
        return open(reportId, 'click');
      }
      const { ids: all, currentId: opened } = latest.current;
      const start = all.indexOf(anchor.current ?? opened ?? reportId);
      const end = all.indexOf(reportId);
      const range = all.slice(Math.max(0, Math.min(start, end)), Math.max(start, end) + 1);
      setMarked((current) => new Set([...current, ...range]));
    },
    [open, toggle],
  );

  const openByKey = useCallback(
    (reportId: number | undefined) => {
      heading.current = { to: reportId };
      open(reportId, 'key');
    },
    [open],
  );

  const move = useCallback(
    (steps: number) => {
      const { ids: all } = latest.current;
      if (all.length === 0) return;
      const from = heading.current ? heading.current.to : latest.current.currentId;
      const index = from === undefined ? -1 : all.indexOf(from);
      const next = index === -1 ? 0 : Math.min(all.length - 1, Math.max(0, index + steps));
      anchor.current = all[next];
      openByKey(all[next]);
    },
    [openByKey],
  );

  /** Opens the report after those that are about to go, or the one before where there is none after. */
  const leave = useCallback(
    (going: readonly number[]) => {
      const { ids: all } = latest.current;
      const from = heading.current ? heading.current.to : latest.current.currentId;
      const gone = new Set(going);
      setMarked((current) => new Set([...current].filter((id) => !gone.has(id))));
      if (from === undefined || !gone.has(from)) return;
      const index = all.indexOf(from);
      const stays = (id: number) => !gone.has(id);
      openByKey(all.slice(index + 1).find(stays) ?? all.slice(0, Math.max(0, index)).findLast(stays));
    },
    [openByKey],
  );

  const clear = useCallback(() => setMarked(new Set()), []);
  const selectAll = useCallback(() => setMarked(new Set(latest.current.ids)), []);

  return { currentId, selected, toggle, press, move, leave, clear, selectAll };
}
