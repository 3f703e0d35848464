import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import { type ScheduledTask, taskStatuses } from '../../../shared/api/scheduled-tasks.ts';
import type { TaskFilter } from '../../api/scheduled-tasks.ts';
import { type SearchReader, searchOf } from '../../search.ts';

export type TaskState = ScheduledTask['status'];

/** Every status that a server may send, in the order in which a task goes through them. */
export const taskStates: readonly TaskState[] = [...taskStatuses, 'cancelled'];

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of the tasks screen says. Times in milliseconds. */
const TaskSearch = Type.Object({
  status: Type.Optional(Type.Array(Type.Enum([...taskStates]))),
  action: Text,
  resource: Text,
  /** From this time on. The server knows no such filter: the console takes it. */
  after: Type.Optional(SafeInteger),
  /** Before this time. */
  before: Type.Optional(SafeInteger),
});
export type TaskSearch = Static<typeof TaskSearch>;
export const readTaskSearch: SearchReader<TaskSearch> = searchOf(TaskSearch);

export const filterOf = ({ action, resource, before }: TaskSearch): TaskFilter => ({
  ...(action && { action_name: action }),
  ...(resource && { resource_id: resource }),
  ...(before !== undefined && { max_timestamp: before }),
});

export const isFiltered = ({ status, action, resource, after, before }: TaskSearch) =>
  Boolean(status || action || resource || after !== undefined || before !== undefined);
