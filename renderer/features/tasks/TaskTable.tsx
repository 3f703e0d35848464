import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { type Header, type ReactTable, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { movingKeys, rowReachedBy } from '../../components/table/use-tall-list.ts';
import { useCommands } from '../../console-context.ts';
import { TaskDetail } from './TaskDetail.tsx';
import classes from './TaskTable.module.css';
import { taskColumns, taskTableFeatures } from './task-columns.tsx';
import type { TaskSearch } from './task-search.ts';

const rowHeight = 34;
const headerHeight = 31;

type Props = {
  tasks: ScheduledTask[];
  sort: TaskSearch['sort'];
  onSort: (sort: TaskSearch['sort']) => void;
  /** The id of the one that the address names: it is unfolded, and in sight when it comes to be named. */
  named: string | undefined;
  onNamed: (id: string | undefined) => void;
};

/** The tasks as they are given, or by a column that someone chose. */
export function TaskTable({ tasks, sort, onSort, named, onNamed }: Props) {
  const sorting = useMemo(
    () => (sort ? [{ id: sort.replace('-', ''), desc: sort.startsWith('-') }] : []),
    [sort],
  );
  const table = useTable({
    features: taskTableFeatures,
    columns: taskColumns,
    data: tasks,
    getRowId: ({ id }) => id,
    getRowCanExpand: () => true,
    autoResetExpanded: false,
    enableMultiSort: false,
    state: { sorting },
    onSortingChange: (change) => {
      const [first] = typeof change === 'function' ? change(sorting) : change;
      onSort(first && (`${first.desc ? '-' : ''}${first.id}` as TaskSearch['sort']));
    },
  });
  const { rows } = table.getRowModel();
  const scroller = useRef<HTMLDivElement>(null);
  const [currentId, setCurrentId] = useState<string>();
  const current = rows.findIndex(({ id }) => id === currentId);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    // The current row keeps the focus, however far away one has scrolled.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return current < 0 || shown.includes(current) ? shown : [...shown, current].sort((a, b) => a - b);
    },
  });

  const inSight = useRef<string>(undefined);
  useEffect(() => {
    if (named === inSight.current) return;
    const index = rows.findIndex(({ id }) => id === named);
    if (index === -1) return;
    inSight.current = named;
    rows[index]?.toggleExpanded(true);
    setCurrentId(named);
    virtualizer.scrollToIndex(index, { align: 'center' });
  }, [named, rows, virtualizer]);

  function fold(row: (typeof rows)[number]) {
    const isOpened = !row.getIsExpanded();
    setCurrentId(row.id);
    row.toggleExpanded(isOpened);
    if (!isOpened && row.id !== named) return;
    inSight.current = isOpened ? row.id : undefined;
    onNamed(inSight.current);
  }

  function move(to: number) {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (!next) return;
    flushSync(() => setCurrentId(next.id));
    const button = scroller.current?.querySelector<HTMLElement>(`[data-task="${CSS.escape(next.id)}"]`);
    button?.focus({ preventScroll: true });
    virtualizer.scrollToIndex(rows.indexOf(next), { align: 'auto' });
    // Where the window is small, the page around it scrolls, too.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  }
  useCommands(movingKeys(current, rows.length, move));

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
      tabIndex={0}
      aria-label={i18n.t('Task list')}
      onKeyDown={(event) => {
        const to = rowReachedBy(event.key, current, rows.length);
        const isRow = event.target instanceof HTMLElement && event.target.matches('[data-task]');
        if (to === undefined || !(isRow || event.target === event.currentTarget)) return;
        event.preventDefault();
        move(to);
      }}
    >
      <table
        className={classes.table}
        aria-label={i18n.t('Tasks')}
        aria-rowcount={rows.length + 1}
        style={{ height: headerHeight + virtualizer.getTotalSize() }}
      >
        <thead className={classes.head}>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className={classes.header} aria-rowindex={1}>
              <td className={classes.fold} />
              {group.headers.map((header) => (
                <TaskColumnHeader key={header.id} table={table} header={header} />
              ))}
            </tr>
          ))}
        </thead>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const open = row.getIsExpanded();
          return (
            <tbody
              key={row.id}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <tr
                className={classes.row}
                aria-rowindex={index + 2}
                data-open={open || undefined}
                data-current={index === current || undefined}
                onClick={() => fold(row)}
              >
                <td>
                  <UnstyledButton
                    className={classes.fold}
                    data-task={row.id}
                    aria-expanded={open}
                    aria-label={i18n.t('Details: {action}', { action: row.original.action })}
                    data-open={open || undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      fold(row);
                    }}
                  >
                    <IconChevronRight size={14} aria-hidden />
                  </UnstyledButton>
                </td>
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={classes.cell}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
              {open && (
                <tr className={classes.detail}>
                  <td>
                    <TaskDetail task={row.original} />
                  </td>
                </tr>
              )}
            </tbody>
          );
        })}
      </table>
    </section>
  );
}

type TaskTableModel = ReactTable<typeof taskTableFeatures, ScheduledTask>;
type TaskHeader = Header<typeof taskTableFeatures, ScheduledTask>;

function TaskColumnHeader({ table, header }: { table: TaskTableModel; header: TaskHeader }) {
  const { column } = header;
  const sorted = column.getIsSorted();
  // At first the latest are above, but for what is at work and what is to come.
  const isFirst = column.id === 'timestamp_ms' && table.state.sorting.length === 0;
  return (
    <th
      scope="col"
      aria-sort={
        sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : isFirst ? 'other' : undefined
      }
      title={isFirst ? i18n.t('Running, then recent, then scheduled') : undefined}
    >
      <UnstyledButton className={classes.sort} onClick={column.getToggleSortingHandler()}>
        <table.FlexRender header={header} />
        {sorted === 'asc' && <IconArrowUp size={12} aria-hidden />}
        {isFirst && <IconArrowDown size={12} aria-hidden className={classes.first} />}
        {sorted === 'desc' && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
