import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import { type ScheduledTask, taskStatuses } from '../../../shared/api/tasks.ts';
import type { TaskFilter } from '../../api/scheduled-tasks.ts';
import { type SearchReader, searchOf } from '../../search.ts';

export type TaskState = ScheduledTask['status'];

/** Every status that a server may send, in the order in which a task goes through them. */
export const taskStates: readonly TaskState[] = [...taskStatuses, 'cancelled'];

/** The columns that a list can be sorted by; with a `-` before them downwards. */
const taskOrders = ['status', 'action', 'resource_id', 'timestamp_ms', 'outcome'] as const;
const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of the tasks screen says. Times in milliseconds. */
const TaskSearch = Type.Object({
  status: Type.Optional(Type.Array(Type.Enum([...taskStates]))),
  action: Text,
  resource: Text,
  /** A part of anything that a task says, wherever it stands. The server knows no such filter, either. */
  text: Text,
  /** From this time on. The server knows no such filter: the console takes it. */
  after: Type.Optional(SafeInteger),
  /** Before this time. */
  before: Type.Optional(SafeInteger),
  /** The task that was unfolded last, by its id. */
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

/** Whether a task holds a text in what it says, in whatever letters. */
export function contains({ id, action, resource_id, error, result }: ScheduledTask, text: string): boolean {
  const wanted = text.toLowerCase();
  const parts = [id, action, resource_id, error, result === undefined ? undefined : JSON.stringify(result)];
  return parts.some((part) => part?.toLowerCase().includes(wanted));
}

/**
 * The order in which tasks matter to who watches them: what runs, then what is over with the latest first,
 * then what is to come with the next first.
 */
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
