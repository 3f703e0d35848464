import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { type Header, type ReactTable, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { TaskDetail } from './TaskDetail.tsx';
import classes from './TaskTable.module.css';
import { taskColumns, taskTableFeatures } from './task-columns.tsx';

const rowHeight = 34;
const headerHeight = 31;

/** The tasks as they are given, or by a column that someone chose. */
export function TaskTable({ tasks }: { tasks: ScheduledTask[] }) {
  const table = useTable({
    features: taskTableFeatures,
    columns: taskColumns,
    data: tasks,
    getRowId: ({ id }) => id,
    getRowCanExpand: () => true,
    autoResetExpanded: false,
    enableMultiSort: false,
  });
  const { rows } = table.getRowModel();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
  });

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={i18n.t('List of tasks')}>
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
                onClick={() => row.toggleExpanded()}
              >
                <td>
                  <UnstyledButton
                    className={classes.fold}
                    aria-expanded={open}
                    aria-label={i18n.t('Details of {action}', { action: row.original.action })}
                    data-open={open || undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      row.toggleExpanded();
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
  if (!column.getCanSort()) {
    return (
      <th scope="col">
        <table.FlexRender header={header} />
      </th>
    );
  }
  return (
    <th scope="col" aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}>
      <UnstyledButton className={classes.sort} onClick={column.getToggleSortingHandler()}>
        <table.FlexRender header={header} />
        {sorted === 'asc' && <IconArrowUp size={12} aria-hidden />}
        {sorted === 'desc' && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
