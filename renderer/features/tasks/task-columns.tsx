import { i18n } from '@lingui/core';
import {
  createColumnHelper,
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { RoomResource } from './RoomResource.tsx';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import classes from './TaskTable.module.css';
import { taskStates } from './task-search.ts';
import { outcomeOf, whatItIs } from './task-words.ts';

export const taskTableFeatures = tableFeatures({
  rowSortingFeature,
  rowExpandingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** Of `room9` and `room10`, the first comes first. */
const natural = new Intl.Collator(undefined, { numeric: true });

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
      <span className={classes.code} title={whatItIs(row.original.action) ?? row.original.action}>
        <HazardText text={row.original.action} />
      </span>
    ),
    sortFn: (one, other) => natural.compare(one.original.action, other.original.action),
  }),
  column.accessor('resource_id', {
    header: () => i18n.t('Resource'),
    cell: ({ row }) =>
      row.original.resource_id ? (
        <Resource id={row.original.resource_id} />
      ) : (
        <span className={classes.none}>–</span>
      ),
    sortFn: (one, other) => natural.compare(one.original.resource_id ?? '', other.original.resource_id ?? ''),
  }),
  column.accessor('timestamp_ms', {
    header: () => i18n.t('Time'),
    cell: ({ row }) => <RelativeTime timestamp={row.original.timestamp_ms} />,
    sortFn: (one, other) => one.original.timestamp_ms - other.original.timestamp_ms,
    sortDescFirst: true,
  }),
  column.accessor((task) => outcomeOf(task) || undefined, {
    id: 'outcome',
    header: () => i18n.t('Result'),
    cell: ({ row }) => <Outcome task={row.original} />,
    sortFn: (one, other) => natural.compare(outcomeOf(one.original), outcomeOf(other.original)),
    sortUndefined: 'last',
    sortDescFirst: false,
  }),
]);

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
