import { i18n } from '@lingui/core';
import {
  createColumnHelper,
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import classes from './TaskTable.module.css';
import { taskStates } from './task-search.ts';

export const taskTableFeatures = tableFeatures({
  rowSortingFeature,
  rowExpandingFeature,
  sortedRowModel: createSortedRowModel(),
});

const column = createColumnHelper<typeof taskTableFeatures, ScheduledTask>();

export const taskColumns = column.columns([
  column.accessor('status', {
    header: () => i18n.t('Status'),
    cell: ({ row }) => <TaskStatusMark status={row.original.status} />,
    sortFn: (one, other) =>
      taskStates.indexOf(one.original.status) - taskStates.indexOf(other.original.status),
  }),
  column.accessor('action', {
    header: () => i18n.t('Action'),
    cell: ({ row }) => (
      <span className={classes.code} title={row.original.action}>
        <HazardText text={row.original.action} />
      </span>
    ),
    sortFn: (one, other) => one.original.action.localeCompare(other.original.action),
  }),
  column.accessor('resource_id', {
    header: () => i18n.t('Resource'),
    cell: ({ row }) =>
      row.original.resource_id ? (
        <span className={classes.code} title={row.original.resource_id}>
          <HazardText text={row.original.resource_id} />
        </span>
      ) : (
        <span className={classes.none}>–</span>
      ),
    sortFn: (one, other) => (one.original.resource_id ?? '').localeCompare(other.original.resource_id ?? ''),
  }),
  column.accessor('timestamp_ms', {
    header: () => i18n.t('When'),
    cell: ({ row }) => <RelativeTime timestamp={row.original.timestamp_ms} />,
    sortFn: (one, other) => one.original.timestamp_ms - other.original.timestamp_ms,
    sortDescFirst: true,
  }),
  column.accessor((task) => outcomeOf(task) || undefined, {
    id: 'outcome',
    header: () => i18n.t('Outcome'),
    cell: ({ row }) => <Outcome task={row.original} />,
    sortFn: (one, other) => outcomeOf(one.original).localeCompare(outcomeOf(other.original)),
    sortUndefined: 'last',
    sortDescFirst: false,
  }),
]);

/** Enough of an error or a result to recognise it; the whole is in the opened row. */
function outcomeOf({ error, result }: ScheduledTask): string {
  if (error) return tellingLine(error);
  return result === undefined || result === null ? '' : JSON.stringify(result).slice(0, 300);
}

function Outcome({ task }: { task: ScheduledTask }) {
  return (
    <span className={task.error ? classes.error : classes.code}>
      <HazardText text={outcomeOf(task)} />
    </span>
  );
}

/** The line of an error that says most: of a stack trace that is the last one. */
function tellingLine(error: string): string {
  const lines = error.trim().split('\n');
  const line = /^Traceback\b/.test(error.trim()) ? lines.at(-1) : lines[0];
  return line?.slice(0, 300) ?? '';
}
