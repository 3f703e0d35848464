import { i18n } from '@lingui/core';
import { useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type Ref, useEffect, useRef } from 'react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import classes from './ReportList.module.css';
import { ReportRow, rowHeight, rowId } from './ReportRow.tsx';
import type { OtherReports } from './report-list.ts';

/** Where each list was scrolled to, so that it is there again when one comes back to it. */
const positions = new Map<string, number>();

type Props = {
  /** Names the list; another name is another list with a place of its own. */
  name: string;
  reports: EventReportItem[];
  total: number;
  others: (report: EventReportItem) => OtherReports;
  currentId: number | undefined;
  selectedIds: ReadonlySet<number>;
  reviewedIds: ReadonlySet<number>;
  loadMore: (() => void) | undefined;
  listRef: Ref<HTMLDivElement>;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

export function ReportList(props: Props) {
  const { name, reports, total, others, currentId, selectedIds, reviewedIds, loadMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: reports.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => reports[index]?.id ?? index,
    overscan: 8,
    initialOffset: () => positions.get(name) ?? 0,
  });
  const ref = useMergedRef(scroller, props.listRef);
  const items = virtualizer.getVirtualItems();

  const lastShown = items.at(-1)?.index ?? 0;
  const nearTheEnd = lastShown >= reports.length - 30;
  useEffect(() => {
    if (nearTheEnd) loadMore?.();
  }, [nearTheEnd, loadMore]);

  const currentIndex = reports.findIndex(({ id }) => id === currentId);
  useEffect(() => {
    if (currentIndex !== -1) virtualizer.scrollToIndex(currentIndex, { align: 'auto' });
  }, [currentIndex, virtualizer]);

  const current = currentIndex === -1 || currentId === undefined ? undefined : rowId(currentId);
  return (
    <div
      ref={ref}
      className={classes.list}
      role="listbox"
      data-focus-home
      aria-label={i18n.t('Reports')}
      aria-multiselectable
      aria-activedescendant={current}
      tabIndex={0}
      onScroll={(event) => positions.set(name, event.currentTarget.scrollTop)}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const report = reports[index];
          if (!report) return null;
          const { onSender, onEvent } = others(report);
          return (
            <ReportRow
              key={key}
              report={report}
              position={index + 1}
              total={total}
              current={report.id === currentId}
              selected={selectedIds.has(report.id)}
              reviewed={reviewedIds.has(report.id)}
              othersOnSender={onSender}
              othersOnEvent={onEvent}
              style={{ transform: `translateY(${start}px)` }}
              onPress={props.onPress}
              onToggle={props.onToggle}
            />
          );
        })}
      </div>
      {loadMore && <div className={classes.more}>{i18n.t('Loading more…')}</div>}
    </div>
  );
}
