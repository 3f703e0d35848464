import { i18n } from '@lingui/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ReportSearch } from '../report-search.ts';
import classes from './SubjectList.module.css';
import { SubjectReports } from './SubjectReports.tsx';
import { SubjectRow } from './SubjectRow.tsx';
import type { Subject } from './subjects.ts';

type Props = {
  /** Names the list; another one begins folded. */
  name: string;
  subjects: readonly Subject[];
  /** Whether the reports are all that there are to a subject, and not those that filters of the console left. */
  isWhole: boolean;
  currentId: number | undefined;
  onOpen: (reportId: number) => void;
  onChange: (changes: Partial<ReportSearch>) => void;
};

const rowEstimate = 75;

/** One row for all reports on the same; each unfolds into them. */
export default function SubjectList({ name, subjects, isWhole, currentId, onOpen, onChange }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const virtualizer = useVirtualizer({
    count: subjects.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowEstimate,
    getItemKey: (index) => subjects[index]?.key ?? index,
    overscan: 4,
  });

  // Walking through reports by key comes into groups that are still folded.
  const holder = subjects.findIndex(({ reports }) => reports.some(({ id }) => id === currentId));
  const holderKey = subjects[holder]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with what it holds open
  useEffect(() => {
    if (holderKey === undefined) return;
    setUnfolded((current) => (current.has(holderKey) ? current : new Set([...current, holderKey])));
    virtualizer.scrollToIndex(holder, { align: 'auto' });
  }, [name, holderKey]);

  function toggle(key: string) {
    setUnfolded((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }

  /** Arrows go from subject to subject, as in a tree. */
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement)) return;
    const buttons = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-subject]') ?? [])];
    const next = buttons[buttons.indexOf(event.target) + step];
    if (!buttons.includes(event.target) || !next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  return (
    <div ref={scroller} className={classes.list}>
      <ul
        className={classes.rows}
        aria-label={i18n.t('Grouped reports')}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
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
                onToggle={() => toggle(subject.key)}
              />
              {isUnfolded && (
                <SubjectReports
                  subject={subject}
                  isWhole={isWhole}
                  currentId={currentId}
                  onOpen={onOpen}
                  onChange={onChange}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
