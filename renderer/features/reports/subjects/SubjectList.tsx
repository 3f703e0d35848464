import { i18n } from '@lingui/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, type Ref, useEffect, useRef, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Mark } from '../../../../shared/team/entries.ts';
import type { ReportOrder } from '../../../api/reports/report-source.ts';
import { useConsole } from '../../../console-context.ts';
import type { ReportGroup } from '../list/groups.ts';
import type { ReportSearch } from '../report-search.ts';
import classes from './SubjectList.module.css';
import { SubjectReports } from './SubjectReports.tsx';
import { isAllSelected, SubjectRow } from './SubjectRow.tsx';

type Props = {
  /** Name of the list; another one starts folded. */
  name: string;
  subjects: readonly ReportGroup[];
  /** Whether these are all reports on a subject, rather than those that the console's filters left. */
  isWhole: boolean;
  /** The server's order for the reports of a group, if not all were scanned. */
  order: ReportOrder | undefined;
  currentId: number | undefined;
  selectedIds: ReadonlySet<number>;
  marks: ReadonlyMap<number, Mark>;
  /** The element that handles the list's keys. */
  listRef: Ref<HTMLUListElement>;
  onPress: (reportId: number, event: MouseEvent) => void;
  onSelect: (reports: readonly EventReportItem[], isSelected: boolean) => void;
  /** Selects all reports of a group, loaded or not. */
  onSelectGroup: (subject: ReportGroup, isSelected: boolean) => Promise<void>;
  onChange: (changes: Partial<ReportSearch>) => void;
  /** The user is among the groups, so they must not move. */
  onHold: (isHeld: boolean) => void;
};

const rowEstimate = 75;

/** One row for all reports on the same subject, which unfolds into them. */
export function SubjectList({ name, subjects, isWhole, currentId, ...props }: Props) {
  const { selectedIds, marks } = props;
  const { commands } = useConsole();
  const scroller = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const virtualizer = useVirtualizer({
    count: subjects.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowEstimate,
    getItemKey: (index) => subjects[index]?.key ?? index,
    overscan: 4,
  });

  // Moving between reports by key enters folded groups.
  const holder =
    currentId === undefined
      ? -1
      : subjects.findIndex(({ reports }) => reports.some(({ id }) => id === currentId));
  const holderKey = subjects[holder]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has its own unfolded groups
  useEffect(() => {
    if (holderKey === undefined) return;
    setUnfolded((current) => (current.has(holderKey) ? current : new Set([...current, holderKey])));
    virtualizer.scrollToIndex(holder, { align: 'auto' });
  }, [name, holderKey]);

  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const { onHold } = props;
  const isHeld = isPointedAt || hasFocus || unfolded.size > 0;
  useEffect(() => {
    onHold(isHeld);
    return () => onHold(false);
  }, [onHold, isHeld]);

  function toggle(key: string) {
    setUnfolded((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }

  /** Arrow keys move between subjects, as in a tree, and the key that selects a report selects all of a subject's. */
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const subject = subjects.find(({ key }) => key === (event.target as HTMLElement).dataset.subject);
    if (!subject) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const buttons = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-subject]') ?? [])];
      buttons[buttons.indexOf(event.target) + step]?.focus();
    } else if (event.key === 'x' && commands.keyWorks('x')) {
      void props.onSelectGroup(subject, !isAllSelected(subject, selectedIds));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={scroller} className={classes.list}>
      <ul
        ref={props.listRef}
        tabIndex={-1}
        className={classes.rows}
        aria-label={i18n.t('Grouped reports')}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onPointerEnter={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(false)}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const subject = subjects[index];
          if (!subject) return null;
          const isUnfolded = unfolded.has(subject.key);
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <SubjectRow
                subject={subject}
                isWhole={isWhole}
                isUnfolded={isUnfolded}
                selectedIds={selectedIds}
                marks={marks}
                onToggle={() => toggle(subject.key)}
                onSelect={(isSelected) => props.onSelectGroup(subject, isSelected)}
              />
              {isUnfolded && (
                <SubjectReports
                  subject={subject}
                  order={props.order}
                  currentId={currentId}
                  selectedIds={selectedIds}
                  marks={marks}
                  onPress={props.onPress}
                  onSelect={props.onSelect}
                  onChange={props.onChange}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
