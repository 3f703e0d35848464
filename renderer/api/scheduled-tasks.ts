import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { ScheduledTask, ScheduledTaskList } from '../../shared/api/tasks.ts';
import type { Server } from '../transport/server.ts';
import { getList, isExpected, UnexpectedEntry } from './lenient.ts';

/** Unknown statuses are shown as they are. */
const ListedTask = Type.Object({
  ...ScheduledTask.properties,
  status: Type.Unsafe<ScheduledTask['status']>({ type: 'string' }),
});

export type TaskFilter = { action_name?: string; resource_id?: string; max_timestamp?: number };

/** Polling intervals in milliseconds, while a task runs or is due and otherwise. */
const runningIntervalMs = 2_000;
const idleIntervalMs = 20_000;

/** Returns tasks of every status: the screen counts them, so it filters by status itself. "GET …/scheduled_tasks". */
export const scheduledTasksQuery = (server: Server, filter: TaskFilter) =>
  queryOptions({
    queryKey: [server.id, 'scheduled-tasks', filter],
    queryFn: async ({ signal }) => {
      const parameters = Object.entries(filter).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
      const path = `/v1/scheduled_tasks?${query}`;
      const { rows } = await getList(server, ListedTask, 'scheduled_tasks', path, { signal });
      return {
        tasks: rows.filter(isExpected),
        unexpected: rows.filter((row) => row instanceof UnexpectedEntry),
      };
    },
    staleTime: 1_000,
    refetchInterval: ({ state }) => nextPollDelay(state.data?.tasks ?? [], Date.now()),
  });

/** Returns the time until the next change is likely: due tasks start any moment. */
function nextPollDelay(tasks: readonly ScheduledTask[], now: number): number {
  if (tasks.some(({ status }) => status === 'active')) return runningIntervalMs;
  const next = tasks.reduce(
    (first, { status, timestamp_ms }) => (status === 'scheduled' ? Math.min(first, timestamp_ms) : first),
    now + idleIntervalMs,
  );
  return Math.max(runningIntervalMs, next - now);
}

/** A task this long past its start is overdue, in milliseconds; servers check for due tasks periodically. */
const overdueAfterMs = 5 * 60_000;

const latestFirst = (one: ScheduledTask, other: ScheduledTask) => other.timestamp_ms - one.timestamp_ms;

/** Returns the numbers of failed, running and overdue tasks, and the failed ones that are the latest. */
export const taskCountsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'task-trouble'],
    queryFn: async ({ signal }) => {
      const overdueBefore = Date.now() - overdueAfterMs;
      const tasks = async (filter: string) =>
        (await server.get(ScheduledTaskList, `/v1/scheduled_tasks?${filter}`, { signal })).scheduled_tasks;
      const [failed, active, overdue] = await Promise.all([
        tasks('status=failed'),
        tasks('status=active'),
        tasks(`status=scheduled&max_timestamp=${overdueBefore}`),
      ]);
      return {
        failed: failed.length,
        latestFailed: failed.sort(latestFirst).slice(0, 3),
        active: active.length,
        overdue: overdue.length,
        overdueBefore,
      };
    },
    staleTime: 15_000,
    refetchInterval: 60_000,
  });
