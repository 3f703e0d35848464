import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { DisplayName, maxNameLength } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { compareValues, type Value } from '../../components/table/columns.tsx';
import { movingKeys, rowReachedBy } from '../../components/table/use-tall-list.ts';
import { nameAction } from '../../components/task-names.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { useRowHeights } from '../../density.ts';
import { ellipsize } from '../../words/clip.ts';
import { TaskDetail } from './TaskDetail.tsx';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import classes from './TaskTable.module.css';
import { type TaskSearch, taskStates } from './task-search.ts';
import { describeAction, outcomeOf } from './task-words.ts';

type Props = {
  tasks: ScheduledTask[];
  sort: TaskSearch['sort'];
  onSort: (sort: TaskSearch['sort']) => void;
  /** The ID of the task in the address, which is expanded and scrolled into view. */
  linkedId: string | undefined;
  onLink: (id: string | undefined) => void;
};

/** The tasks in the given order, or sorted by a column. */
export function TaskTable({ tasks, sort, onSort, linkedId, onLink }: Props) {
  const rows = useMemo(() => sortTasks(tasks, sort), [tasks, sort]);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const { row: rowHeight, tableHead: headerHeight } = useRowHeights();
  const [currentId, setCurrentId] = useState<string>();
  const current = rows.findIndex(({ id }) => id === currentId);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    // The current row stays mounted, so that it keeps the focus.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return current < 0 || shown.includes(current) ? shown : [...shown, current].sort((a, b) => a - b);
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns if the row height changes
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const scrolledTo = useRef<string>(undefined);
  useEffect(() => {
    if (linkedId === scrolledTo.current) return;
    const index = rows.findIndex(({ id }) => id === linkedId);
    if (index === -1) return;
    scrolledTo.current = linkedId;
    if (linkedId !== undefined) setExpanded((ids) => new Set(ids).add(linkedId));
    setCurrentId(linkedId);
    virtualizer.scrollToIndex(index, { align: 'center' });
  }, [linkedId, rows, virtualizer]);

  function toggle({ id }: ScheduledTask) {
    const isOpening = !expanded.has(id);
    const others = [...expanded].filter((one) => one !== id);
    setCurrentId(id);
    setExpanded(new Set(isOpening ? [...others, id] : others));
    if (!isOpening && id !== linkedId) return;
    scrolledTo.current = isOpening ? id : undefined;
    onLink(scrolledTo.current);
  }

  function move(to: number) {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (!next) return;
    flushSync(() => setCurrentId(next.id));
    const button = scroller.current?.querySelector<HTMLElement>(`[data-task="${CSS.escape(next.id)}"]`);
    button?.focus({ preventScroll: true });
    virtualizer.scrollToIndex(rows.indexOf(next), { align: 'auto' });
    // In a small window, the page scrolls as well.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  }
  useCommands(movingKeys(current, rows.length, move));

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
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
          <tr className={classes.header} aria-rowindex={1}>
            <td className={classes.fold} />
            {taskColumns.map((column) => (
              <TaskColumnHeader key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const task = rows[index];
          if (!task) return null;
          const open = expanded.has(task.id);
          return (
            <tbody
              key={task.id}
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
                onClick={() => toggle(task)}
              >
                <td>
                  <UnstyledButton
                    className={classes.fold}
                    data-task={task.id}
                    aria-expanded={open}
                    aria-label={i18n.t('Details: {action}', { action: task.action })}
                    data-open={open || undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      toggle(task);
                    }}
                  >
                    <IconChevronRight size={14} aria-hidden />
                  </UnstyledButton>
                </td>
                {taskColumns.map(({ id, cell }) => (
                  <td key={id} className={classes.cell}>
                    {cell(task)}
                  </td>
                ))}
              </tr>
              {open && (
                <tr className={classes.detail}>
                  <td>
                    <TaskDetail task={task} />
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

type HeaderProps = Pick<Props, 'sort' | 'onSort'> & { column: TaskColumn };

/** A click sorts by the column, a second one reverses the order, and a third restores the default. */
function TaskColumnHeader({ column, sort, onSort }: HeaderProps) {
  const { id, name, descending } = column;
  const [first, second] = descending ? ([`-${id}`, id] as const) : ([id, `-${id}`] as const);
  const direction = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined;
  const isUsual = id === 'timestamp_ms' && sort === undefined;
  return (
    <th
      scope="col"
      aria-sort={direction ?? (isUsual ? 'other' : undefined)}
      title={isUsual ? i18n.t('Running, then recent, then scheduled') : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort(sort === first ? second : sort === second ? undefined : first)}
      >
        {name()}
        {direction === 'ascending' && <IconArrowUp size={12} aria-hidden />}
        {isUsual && <IconArrowDown size={12} aria-hidden className={classes.first} />}
        {direction === 'descending' && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

/** Sorts tasks by a column; without one, keeps their order. */
export function sortTasks(
  tasks: readonly ScheduledTask[],
  sort: TaskSearch['sort'],
): readonly ScheduledTask[] {
  const column = taskColumns.find(({ id }) => id === sort?.replace('-', ''));
  if (!sort || !column) return tasks;
  const sign = sort.startsWith('-') ? -1 : 1;
  return tasks.toSorted((one, other) => compareValues(column.sortValue(one), column.sortValue(other), sign));
}

type TaskColumn = {
  id: 'status' | 'action' | 'resource_id' | 'timestamp_ms' | 'outcome';
  name: () => string;
  cell: (task: ScheduledTask) => ReactNode;
  /** The value that the column sorts by. */
  sortValue: (task: ScheduledTask) => Value;
  /** Whether the first click sorts the largest value to the top. */
  descending?: boolean;
};

const taskColumns: readonly TaskColumn[] = [
  {
    id: 'status',
    name: () => i18n.t('Status'),
    cell: ({ status }) => <TaskStatusMark status={status} />,
    sortValue: ({ status }) => taskStates.indexOf(status),
  },
  {
    id: 'action',
    name: () => i18n.t('Action'),
    cell: ({ action }) => <ActionName action={action} />,
    sortValue: ({ action }) => action,
  },
  {
    id: 'resource_id',
    name: () => i18n.t('Resource'),
    cell: ({ resource_id: id }) => (id ? <Resource id={id} /> : <span className={classes.none}>–</span>),
    sortValue: ({ resource_id: id }) => id,
  },
  {
    id: 'timestamp_ms',
    name: () => i18n.t('Time'),
    cell: ({ timestamp_ms: timestamp }) => <RelativeTime timestamp={timestamp} />,
    sortValue: ({ timestamp_ms: timestamp }) => timestamp,
    descending: true,
  },
  {
    id: 'outcome',
    name: () => i18n.t('Result'),
    cell: (task) => <Outcome task={task} />,
    sortValue: (task) => outcomeOf(task) || undefined,
  },
];

function ActionName({ action }: { action: string }) {
  const name = nameAction(action);
  return (
    <span title={describeAction(action) ?? action}>
      {name && <span className={classes.name}>{name}</span>}
      <span className={name ? `${classes.id} ${classes.rawAction}` : classes.code}>
        <HazardText text={action} />
      </span>
    </span>
  );
}

function Resource({ id }: { id: string }) {
  const identifier = (
    <span className={classes.code} title={id}>
      <HazardText text={id} />
    </span>
  );
  return id.startsWith('!') ? <RoomResource roomId={id} /> : identifier;
}

function Outcome({ task }: { task: ScheduledTask }) {
  const outcome = outcomeOf(task);
  return (
    <span className={task.error ? classes.error : ''} title={outcome}>
      <HazardText text={outcome} />
    </span>
  );
}

/** Renders a task's room by name, or by ID if the server no longer knows it. */
function RoomResource({ roomId }: { roomId: string }) {
  const { data: room } = useQuery({ ...roomQuery(useServer(), roomId), retryOnMount: false });
  const name = room?.name || room?.canonical_alias;
  return (
    <span title={roomId}>
      {name && (
        <span className={classes.name}>
          <DisplayName name={ellipsize(name, maxNameLength)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={roomId} />
      </span>
    </span>
  );
}
