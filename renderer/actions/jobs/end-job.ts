import type { ActionContext } from '../action.ts';
import type { Kind } from '../items.ts';
import { isLoggedTogether, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { logAll } from './log-job.ts';
import { ofTasks } from './refresh.ts';

/** The list queries that may show an item, by its kind. */
const lists: Partial<Record<Kind, string>> = {
  user: 'users',
  room: 'rooms',
  media: 'media',
  filed: 'filed-reports',
  destination: 'destinations',
  token: 'registration-tokens',
  server: 'media',
};

/** Ends a job's run: refreshes lists once per job, not per item, and sets the final state. */
export function endJob({ server, queryClient }: ActionContext, job: Job, jobs: JobStore) {
  const shown = new Set([...ofTasks, ...job.items.map(({ item }) => lists[item.kind])]);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, resource] }) => of === server.id && shown.has(resource as string),
  });
  if (isLoggedTogether(job)) {
    logAll(server, job);
    jobs.changed(job);
  }
  const remains = job.items.some(({ state }) => state === 'waiting' || state === 'running');
  // A retry of failed items leaves the waiting ones of a stopped job as they are.
  if (remains && job.state !== 'running') return;
  job.state = remains ? 'stopped' : 'ended';
  jobs.changed(job);
}
