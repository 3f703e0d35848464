import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { type ScheduledTask, ScheduledTaskList, taskStatuses } from '../../shared/api/scheduled-tasks.ts';
import { expectReply } from '../../shared/connection.ts';
import type { Server } from '../transport/server.ts';

export type TaskFilter = { action_name?: string; resource_id?: string; max_timestamp?: number };

/** Between two looks, in milliseconds: while something is at work or due, and otherwise. */
const soon = 2_000;
const later = 20_000;

/**
 * Tasks of every status: the screen counts each, so it takes the status filter itself.
 * Interface: "GET …/scheduled_tasks".
 */
export const scheduledTasksQuery = (server: Server, filter: TaskFilter) =>
  queryOptions({
    queryKey: [server.id, 'scheduled-tasks', filter],
    queryFn: async ({ signal }) => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const body = await server.get(AnyList, `/v1/scheduled_tasks?${query}`, { signal });
      const { scheduled_tasks: tasks } = body;
      if (tasks.every(isTask)) return tasks;
      return expectReply(ScheduledTaskList, { status: 200, body }).scheduled_tasks;
    },
    staleTime: 1_000,
    refetchInterval: ({ state }) => untilNextLook(state.data ?? [], Date.now()),
  });

/** To compare ten thousand with their schema takes longer than to show them; only what is no task has to be. */
const AnyList = Type.Object({ scheduled_tasks: Type.Unsafe<unknown[]>({ type: 'array' }) });
const statuses = new Set<unknown>([...taskStatuses, 'cancelled']);
const isTextIfAny = (value: unknown) => value === undefined || value === null || typeof value === 'string';

function isTask(value: unknown): value is ScheduledTask {
  if (typeof value !== 'object' || value === null) return false;
  const task = value as Partial<Record<keyof ScheduledTask, unknown>>;
  return (
    typeof task.id === 'string' &&
    typeof task.action === 'string' &&
    statuses.has(task.status) &&
    Number.isSafeInteger(task.timestamp_ms) &&
    isTextIfAny(task.resource_id) &&
    isTextIfAny(task.error)
  );
}

/** How long until something may have changed: what is due begins any moment, what comes next at its time. */
function untilNextLook(tasks: readonly ScheduledTask[], now: number): number {
  if (tasks.some(({ status }) => status === 'active')) return soon;
  const next = tasks.reduce(
    (first, { status, timestamp_ms }) => (status === 'scheduled' ? Math.min(first, timestamp_ms) : first),
    now + later,
  );
  return Math.max(soon, next - now);
}
