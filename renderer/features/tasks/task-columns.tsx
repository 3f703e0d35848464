import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { GivenName, mostOfName } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import type { Value } from '../../components/table/column.ts';
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

type SortId = 'status' | 'action' | 'resource_id' | 'timestamp_ms' | 'outcome';

export type TaskColumn = {
  id: SortId;
  name: () => string;
  cell: (task: ScheduledTask) => ReactNode;
  /** The value that the column sorts by. */
  sortedBy: (task: ScheduledTask) => Value;
  /** Whether the first click sorts the largest value to the top. */
  descending?: boolean;
};

export const taskColumns: readonly TaskColumn[] = [
  {
    id: 'status',
    name: () => i18n.t('Status'),
    cell: ({ status }) => <TaskStatusMark status={status} />,
    sortedBy: ({ status }) => taskStates.indexOf(status),
  },
  {
    id: 'action',
    name: () => i18n.t('Action'),
    cell: ({ action }) => (
      <span className={taskTableClasses.code} title={whatItIs(action) ?? action}>
        <HazardText text={action} />
      </span>
    ),
    sortedBy: ({ action }) => action,
  },
  {
    id: 'resource_id',
    name: () => i18n.t('Resource'),
    cell: ({ resource_id: id }) =>
      id ? <Resource id={id} /> : <span className={taskTableClasses.none}>–</span>,
    sortedBy: ({ resource_id: id }) => id,
  },
  {
    id: 'timestamp_ms',
    name: () => i18n.t('Time'),
    cell: ({ timestamp_ms: timestamp }) => <RelativeTime timestamp={timestamp} />,
    sortedBy: ({ timestamp_ms: timestamp }) => timestamp,
    descending: true,
  },
  {
    id: 'outcome',
    name: () => i18n.t('Result'),
    cell: (task) => <Outcome task={task} />,
    sortedBy: (task) => outcomeOf(task) || undefined,
  },
];

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
