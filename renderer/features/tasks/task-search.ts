import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import { type ScheduledTask, taskStatuses } from '../../../shared/api/tasks.ts';
import type { TaskFilter } from '../../api/scheduled-tasks.ts';
import { type SearchReader, searchOf } from '../../search.ts';

export type TaskState = ScheduledTask['status'];

/** Every status, in the order of a task's life cycle. */
export const taskStates: readonly TaskState[] = [...taskStatuses, 'cancelled'];

/** Sortable columns; a `-` prefix sorts descending. */
const taskOrders = ['status', 'action', 'resource_id', 'timestamp_ms', 'outcome'] as const;
const Text = Type.Optional(Type.String({ minLength: 1 }));

/** Search parameters of the tasks screen. Times in milliseconds since the Unix epoch. */
const TaskSearch = Type.Object({
  status: Type.Optional(Type.Array(Type.Enum([...taskStates]))),
  action: Text,
  resource: Text,
  /** Matches any text of a task; filtered by the console. */
  text: Text,
  /** Inclusive; filtered by the console. */
  after: Type.Optional(SafeInteger),
  /** Exclusive. */
  before: Type.Optional(SafeInteger),
  /** The ID of the task expanded last. */
  task: Text,
  sort: Type.Optional(Type.Enum(taskOrders.flatMap((order) => [order, `-${order}` as const]))),
});
export type TaskSearch = Static<typeof TaskSearch>;
export const readTaskSearch: SearchReader<TaskSearch> = searchOf(TaskSearch);

export const filterOf = ({ action, resource, before }: TaskSearch): TaskFilter => ({
  ...(action && { action_name: action }),
  ...(resource && { resource_id: resource }),
  ...(before !== undefined && { max_timestamp: before }),
});

export const noFilters = {
  status: undefined,
  action: undefined,
  resource: undefined,
  text: undefined,
  after: undefined,
  before: undefined,
} satisfies Partial<TaskSearch>;

export const isFiltered = (search: TaskSearch) =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => search[name] !== undefined);

/** Whether any text of a task contains the string, ignoring case. */
export function contains({ id, action, resource_id, error, result }: ScheduledTask, text: string): boolean {
  const query = text.toLowerCase();
  const parts = [id, action, resource_id, error, result === undefined ? undefined : JSON.stringify(result)];
  return parts.some((part) => part?.toLowerCase().includes(query));
}

/** Sorts running tasks first, then finished ones, latest first, then scheduled ones, next first. */
export function byRelevance(one: ScheduledTask, other: ScheduledTask): number {
  const group = rank(one) - rank(other);
  if (group !== 0) return group;
  const later = other.timestamp_ms - one.timestamp_ms;
  return one.status === 'scheduled' ? -later : later;
}

function rank({ status }: ScheduledTask): number {
  if (status === 'active') return 0;
  return status === 'scheduled' ? 2 : 1;
}
