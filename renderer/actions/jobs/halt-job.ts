import type { Failure, Job } from './job.ts';
import type { JobStore } from './job-store.ts';

/**
 * Begins nothing more; what is on its way arrives.
 *
 * @param why what is wrong for all of it; nothing where the person stopped it
 */
export function halt(job: Job, jobs: JobStore, why?: Failure) {
  if (job.state !== 'running') return;
  job.state = 'stopped';
  if (why) job.why = why;
  jobs.changed(job);
}
