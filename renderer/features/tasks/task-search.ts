import { type ScheduledTask, taskStatuses } from '../../../shared/api/scheduled-tasks.ts';
import type { TaskFilter } from '../../api/scheduled-tasks.ts';

export type TaskState = ScheduledTask['status'];

/** Every status that a server may send, in the order in which a task goes through them. */
export const taskStates: readonly TaskState[] = [...taskStatuses, 'cancelled'];

/** What the address of the tasks screen says. Times in milliseconds. */
export type TaskSearch = {
  status?: TaskState[];
  action?: string;
  resource?: string;
  /** From this time on. The server knows no such filter: the console takes it. */
  after?: number;
  /** Before this time. */
  before?: number;
};

export function validateTaskSearch(search: Record<string, unknown>): TaskSearch {
  const { status, action, resource, after, before } = search;
  const states = taskStates.filter((state) => Array.isArray(status) && status.includes(state));
  return {
    ...(states.length > 0 && { status: states }),
    ...textOf('action', action),
    ...textOf('resource', resource),
    ...(isTime(after) && { after }),
    ...(isTime(before) && { before }),
  };
}

/** An address like `?resource=12` reads as a number, and is meant as text. */
function textOf<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? ({ [name]: text } as { [Key in Name]: string }) : {};
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);

export const filterOf = ({ action, resource, before }: TaskSearch): TaskFilter => ({
  ...(action && { action_name: action }),
  ...(resource && { resource_id: resource }),
  ...(before !== undefined && { max_timestamp: before }),
});

export const isFiltered = ({ status, action, resource, after, before }: TaskSearch) =>
  Boolean(status || action || resource || after !== undefined || before !== undefined);
