import { i18n } from '@lingui/core';
import { useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useEffect, useRef } from 'react';
import type { KeyedWordList } from '../../../../shared/team/word-lists.ts';
import { useRowHeights } from '../../../density.ts';
import { ruleName } from '../../../team/rule-names.ts';
import rowClasses from '../desk/Row.module.css';
import { CaseRow, caseRowId } from './CaseRow.tsx';
import classes from './Cases.module.css';
import type { CaseRow as Row } from './cases.ts';
import { isOverdue } from './team-queues.ts';

type Props = {
  rows: readonly Row[];
  now: number;
  currentKey: string | undefined;
  messages: (eventId: string) => string | undefined;
  wordLists: readonly KeyedWordList[];
  listRef: Ref<HTMLDivElement>;
  onPress: (key: string) => void;
};

/** A virtual list of cases. */
export function CaseList({ rows, now, currentKey, messages, wordLists, listRef, onPress }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(scroller, listRef);
  const { reportRow } = useRowHeights();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => reportRow,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 4,
  });
  const currentRow = rows.findIndex(({ key }) => key === currentKey);
  useEffect(() => {
    if (currentRow !== -1) virtualizer.scrollToIndex(currentRow, { align: 'auto' });
  }, [virtualizer, currentRow]);
  const shown = virtualizer.getVirtualItems();
  const isShown = shown.some(({ index }) => index === currentRow);
  return (
    <div
      ref={ref}
      className={classes.list}
      role="listbox"
      data-focus-home
      aria-label={i18n.t('Cases')}
      aria-activedescendant={isShown && currentKey !== undefined ? caseRowId(currentKey) : undefined}
      tabIndex={0}
    >
      <div className={rowClasses.list} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <CaseRow
              key={row.key}
              row={row}
              isOverdue={isOverdue(row, now)}
              message={messageOf(row, messages)}
              fileList={fileListOf(row, wordLists)}
              position={index + 1}
              total={rows.length}
              isCurrent={index === currentRow}
              start={start}
              onPress={onPress}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the name of the word list that has a reported file. */
function fileListOf({ ruled }: Row, lists: readonly KeyedWordList[]): string | undefined {
  const list = ruled?.fileList !== undefined && lists.find(({ key }) => key === ruled.fileList);
  return list ? ruleName(list) : undefined;
}

const messageOf = ({ lead: { event } }: Row, messages: Props['messages']): string | undefined =>
  event && (messages(event.event_id) || undefined);
