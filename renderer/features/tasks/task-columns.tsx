import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import {
  createColumnHelper,
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { GivenName, mostOfName } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { clipped } from '../../words/beginning.ts';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import taskTableClasses from './TaskTable.module.css';
import classes from './task-columns.module.css';
import { taskStates } from './task-search.ts';
import { outcomeOf, whatItIs } from './task-words.ts';

/** A room that a task is about, by what people call it: its identifier where the server no longer knows it. */
function RoomResource({ roomId }: { roomId: string }) {
  const { data: room } = useQuery({ ...roomQuery(useServer(), roomId), retryOnMount: false });
  const name = room?.name || room?.canonical_alias;
  return (
    <span title={roomId}>
      {name && (
        <span className={classes.name}>
          <GivenName name={clipped(name, mostOfName)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={roomId} />
      </span>
    </span>
  );
}

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
      <span className={taskTableClasses.code} title={whatItIs(row.original.action) ?? row.original.action}>
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
        <span className={taskTableClasses.none}>–</span>
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
    <span className={taskTableClasses.code} title={id}>
      <HazardText text={id} />
    </span>
  );
  return id.startsWith('!') ? <RoomResource roomId={id} /> : identifier;
}

function Outcome({ task }: { task: ScheduledTask }) {
  const outcome = outcomeOf(task);
  return (
    <span className={task.error ? taskTableClasses.error : ''} title={outcome}>
      <HazardText text={outcome} />
    </span>
  );
}
