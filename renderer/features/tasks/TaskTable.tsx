import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { TaskDetail } from './TaskDetail.tsx';
import classes from './TaskTable.module.css';
import { taskColumns, taskTableFeatures } from './task-columns.tsx';

const rowHeight = 34;

const newestFirst = { sorting: [{ id: 'timestamp_ms', desc: true }] };

export function TaskTable({ tasks }: { tasks: ScheduledTask[] }) {
  const table = useTable({
    features: taskTableFeatures,
    columns: taskColumns,
    data: tasks,
    initialState: newestFirst,
    getRowId: ({ id }) => id,
    getRowCanExpand: () => true,
    autoResetExpanded: false,
    enableMultiSort: false,
    enableSortingRemoval: false,
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
    <div ref={scroller} className={classes.scroller} tabIndex={0} aria-label="Tasks" role="region">
      {/* biome-ignore lint/a11y/useSemanticElements: a virtualized table places its rows itself */}
      <div role="table" aria-label="Tasks" aria-rowcount={rows.length + 1} className={classes.table}>
        {table.getHeaderGroups().map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div key={group.id} role="row" className={classes.header} aria-rowindex={1}>
            <span className={classes.fold} />
            {group.headers.map((header) => {
              const sorted = header.column.getIsSorted();
              return (
                // biome-ignore lint/a11y/useSemanticElements: see above
                <div
                  key={header.id}
                  role="columnheader"
                  aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
                >
                  {header.column.getCanSort() ? (
                    <UnstyledButton
                      className={classes.sort}
                      onClick={header.column.getToggleSortingHandler()}
                    >
                      <table.FlexRender header={header} />
                      {sorted === 'asc' && <IconArrowUp size={12} aria-hidden />}
                      {sorted === 'desc' && <IconArrowDown size={12} aria-hidden />}
                    </UnstyledButton>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </div>
              );
            })}
          </div>
        ))}
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const open = row.getIsExpanded();
            return (
              <div
                key={row.id}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                {/* biome-ignore lint/a11y/useSemanticElements: see above */}
                {/* biome-ignore lint/a11y/useFocusableInteractive: its button has the focus */}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: its button has the keys */}
                <div
                  role="row"
                  aria-rowindex={index + 2}
                  className={classes.row}
                  data-open={open || undefined}
                  onClick={() => row.toggleExpanded()}
                >
                  <UnstyledButton
                    className={classes.fold}
                    aria-expanded={open}
                    aria-label={`Details of ${row.original.action}`}
                    data-open={open || undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      row.toggleExpanded();
                    }}
                  >
                    <IconChevronRight size={14} aria-hidden />
                  </UnstyledButton>
                  {row.getAllCells().map((cell) => (
                    // biome-ignore lint/a11y/useSemanticElements: see above
                    <div key={cell.id} role="cell" className={classes.cell}>
                      <table.FlexRender cell={cell} />
                    </div>
                  ))}
                </div>
                {open && <TaskDetail task={row.original} />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
