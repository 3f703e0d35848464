/** Putting a job out of sight, or back, that a page left behind which crashed: what it did is in the log all the same. */
import type { Server } from '../../transport/server.ts';
import { isLoggedTogether, type Job } from './job.ts';
import { jobsOf } from './job-store.ts';
import { logAll } from './log-job.ts';

export function logLeft(server: Server, job: Job) {
  if (isLoggedTogether(job)) logAll(server, job, false);
}

export function dismissJob(server: Server, job: Job) {
  logLeft(server, job);
  jobsOf(server.id).remove(job.id);
}
