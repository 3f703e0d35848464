import { queryOptions } from '@tanstack/react-query';
import { ScheduledTaskList } from '../../shared/api/tasks.ts';
import type { Server } from '../transport/server.ts';

/** A task that should have begun so long ago is late, in milliseconds: a server looks for what is due now and then. */
const lateAfter = 5 * 60_000;

/** How many tasks failed, run, and should long have begun: only those are asked for. */
export const taskTroubleQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'task-trouble'],
    queryFn: async ({ signal }) => {
      const lateBefore = Date.now() - lateAfter;
      const count = async (filter: string) =>
        (await server.get(ScheduledTaskList, `/v1/scheduled_tasks?${filter}`, { signal })).scheduled_tasks
          .length;
      const [failed, active, late] = await Promise.all([
        count('status=failed'),
        count('status=active'),
        count(`status=scheduled&max_timestamp=${lateBefore}`),
      ]);
      return { failed, active, late, lateBefore };
    },
    staleTime: 15_000,
    refetchInterval: 60_000,
  });
