import { i18n } from '@lingui/core';
import { useMergedRef } from '@mantine/hooks';
import {
  type ComponentType,
  type MouseEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Mark } from '../../../../shared/team/entries.ts';
import { useTallList } from '../../../components/table/use-tall-list.ts';
import { useConsole } from '../../../console-context.ts';
import { useRowHeights } from '../../../density.ts';
import type { ReportRows } from '../list/report-rows.ts';
import classes from './ReportList.module.css';
import { type RowProps, RowSkeleton, rowId } from './Row.tsx';

/** Idle time after which the list counts as settled. */
const restMilliseconds = 250;
const nowhere = { first: 0, last: -1 };

export type ListControl = { scrollToRow: (row: number, align: 'nearest' | 'center') => void };

type Props<Report> = {
  /** Identifies the list and its scroll position. */
  name: string;
  /** Whether it opens at the open report rather than at its beginning, as after a change of order. */
  opensAtCurrent: boolean;
  rows: ReportRows<Report>;
  Row: ComponentType<RowProps<Report>>;
  currentId: number | undefined;
  selectedIds: ReadonlySet<number>;
  marks: ReadonlyMap<number, Mark>;
  areMarksKnown: boolean;
  listRef: Ref<HTMLDivElement>;
  controlRef: Ref<ListControl>;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

/** A virtual list of reports. */
export function ReportList<Report extends { id: number }>(props: Props<Report>) {
  const { name, rows, Row, currentId, selectedIds, marks } = props;
  const unmarked = props.areMarksKnown ? 'open' : undefined;
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(scroller, props.listRef);
  const { reportRow: rowHeight } = useRowHeights();
  const { scrollTops } = useConsole();
  const onScrolled = useCallback((top: number) => void scrollTops.set(name, top), [scrollTops, name]);
  const tall = useTallList({
    scroller,
    count: rows.count,
    rowHeight,
    initialTop: scrollTops.get(name) ?? 0,
    onScrolled,
  });
  const { first, last, scrollTo, scrollToRow } = tall;
  useImperativeHandle(props.controlRef, () => ({ scrollToRow }), [scrollToRow]);

  const { look } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns if the list becomes shorter
  useEffect(() => look(first, last), [look, first, last, rows.count]);

  // Rows that scroll past send no requests, unlike the first ones.
  const [rested, setRested] = useState(nowhere);
  if (rested === nowhere && tall.isMeasured) setRested({ first, last });
  useEffect(() => {
    const timer = setTimeout(() => setRested({ first, last }), restMilliseconds);
    return () => clearTimeout(timer);
  }, [first, last]);

  // Visible rows stay in place when rows before them are added or removed.
  const onScreen = useRef<{ id: number; row: number }[]>([]);
  const { top } = tall;
  useLayoutEffect(() => {
    const still = onScreen.current.find(({ id }) => rows.rowOf(id) !== undefined);
    const moved = still ? (rows.rowOf(still.id) ?? still.row) - still.row : 0;
    if (moved !== 0 && top() > 0) scrollTo(top() + moved * rowHeight);
  }, [rows, scrollTo, top, rowHeight]);
  useLayoutEffect(() => {
    onScreen.current = [];
    for (let row = first; row <= last; row++) {
      const report = rows.at(row);
      // A server may list a report twice: one row counts.
      if (report) onScreen.current.push({ id: report.id, row: rows.rowOf(report.id) ?? row });
    }
  });

  // Opening another report scrolls to it; changes around it don't.
  const followed = useRef(props.opensAtCurrent ? undefined : currentId);
  const currentRow = currentId === undefined ? undefined : rows.rowOf(currentId);
  useEffect(() => {
    if (currentRow === undefined || followed.current === currentId) return;
    followed.current = currentId;
    scrollToRow(currentRow, 'nearest');
  }, [currentId, currentRow, scrollToRow]);

  const isShown = currentRow !== undefined && tall.rows.includes(currentRow);
  return (
    <div
      ref={ref}
      className={classes.list}
      role="listbox"
      data-focus-home
      aria-label={i18n.t('Reports')}
      aria-multiselectable
      aria-activedescendant={isShown && currentId !== undefined ? rowId(currentId) : undefined}
      aria-busy={tall.rows.some((row) => !rows.at(row)) || undefined}
      tabIndex={0}
      onScroll={tall.onScroll}
    >
      <div className={classes.rows} role="presentation" style={{ height: tall.height }}>
        <div
          className={classes.place}
          role="presentation"
          style={{ transform: `translateY(${tall.origin}px)` }}
        >
          {tall.rows.map((row) => {
            const report = rows.at(row);
            const start = tall.startOf(row);
            // Rows that leave at one end are reused at the other.
            const slot = row % tall.most;
            if (!report) return <RowSkeleton key={`skeleton ${slot}`} slot={slot} start={start} />;
            return (
              <Row
                key={report.id}
                report={report}
                position={row + 1}
                total={rows.count}
                current={report.id === currentId}
                selected={selectedIds.has(report.id)}
                state={marks.get(report.id)?.state ?? unmarked}
                start={start}
                counted={row >= rested.first && row <= rested.last}
                onPress={props.onPress}
                onToggle={props.onToggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
