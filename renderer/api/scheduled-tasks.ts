import { queryOptions } from '@tanstack/react-query';
import { ScheduledTaskList } from '../../shared/api/scheduled-tasks.ts';
import type { Server } from '../transport/server.ts';

export type TaskFilter = { action_name?: string; resource_id?: string; max_timestamp?: number };

const whileActive = 2_000;
const otherwise = 20_000;

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
      const list = await server.get(ScheduledTaskList, `/v1/scheduled_tasks?${query}`, { signal });
      return list.scheduled_tasks;
    },
    staleTime: 1_000,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'active') ? whileActive : otherwise,
  });
