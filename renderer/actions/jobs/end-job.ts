import type { Surroundings } from '../action.ts';
import type { Kind } from '../items.ts';
import { isLoggedTogether, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { logAll } from './log-job.ts';
import { ofTasks } from './refresh.ts';

/** By the kind of what was acted on, the lists that may show it. */
const lists: Partial<Record<Kind, string>> = {
  user: 'users',
  room: 'rooms',
  media: 'media',
  filed: 'filed-reports',
  destination: 'destinations',
  token: 'registration-tokens',
  server: 'media',
};

/** Nothing more is begun: lists are read again, once, and not for each of thousands. */
export function end({ server, queryClient }: Surroundings, job: Job, jobs: JobStore) {
  const shown = new Set([...ofTasks, ...job.items.map(({ item }) => lists[item.kind])]);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, resource] }) => of === server.id && shown.has(resource as string),
  });
  if (isLoggedTogether(job)) {
    logAll(server, job);
    jobs.changed(job);
  }
  const remains = job.items.some(({ state }) => state === 'waiting' || state === 'running');
  // After a retry of what failed the others remain as they did.
  if (remains && job.state !== 'running') return;
  job.state = remains ? 'stopped' : 'ended';
  jobs.changed(job);
}
