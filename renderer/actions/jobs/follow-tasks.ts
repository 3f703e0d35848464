/** What of a job goes on on the server, as tasks, is looked at until it is over. */
import { NotFound } from '../../transport/refusal.ts';
import type { Surroundings } from '../action.ts';
import { end } from './end-job.ts';
import type { Job, JobItem } from './job.ts';
import { pause } from './job.ts';
import { jobsOf, setItem, turnOf } from './job-store.ts';
import { settle } from './outcome.ts';
import { actionOf } from './steps-of-job.ts';

/** A task on the server is looked at soon at first, then more and more seldom. */
const firstLook = 500;
const seldomLook = 5_000;

/** The IDs of the jobs that are being followed. */
const followedJobs = () => new Set<string>();

/** Waits for what goes on on the server, and ends the job then. */
export async function follow(context: Surroundings, job: Job) {
  const jobs = jobsOf(context.server);
  const followed = context.server.state(followedJobs);
  if (followed.has(job.id)) return;
  followed.add(job.id);
  const open = () => job.items.filter(({ state }) => state === 'task');
  for (let wait = firstLook; open().length > 0; wait = Math.min(wait * 1.5, seldomLook)) {
    await pause(wait);
    // Dismissed, or taken up by another page.
    if (!jobs.isOwn(job)) break;
    for (const entry of open()) {
      const change = await looked(context, job, entry);
      if (change) setItem(jobs, job, entry, change);
    }
    jobs.changed(job);
  }
  followed.delete(job.id);
  // Somebody has gone on with the rest meanwhile, and ends it.
  if (turnOf(jobs, job)?.isAtWork) return;
  end(context, job, jobs);
}

/** What became of a task; undefined while that isn't known. */
async function looked(
  context: Surroundings,
  job: Job,
  entry: JobItem,
): Promise<Partial<JobItem> | undefined> {
  const failed = (sentence: string, error = ''): Partial<JobItem> => {
    settle(context, job, entry, { outcome: 'failed', detail: error || sentence });
    return { state: 'failed', failure: { code: 'refused', sentence, values: { error } } };
  };
  try {
    const progress = await actionOf(job, entry)?.progress?.(context.server, entry.task ?? '');
    if (!progress) return undefined;
    if (progress.state === 'active') return { queued: progress.isQueued === true };
    if (progress.state === 'failed') {
      return failed(/*i18n*/ 'Task failed: {error}', progress.error);
    }
    const { failures } = progress;
    const action = actionOf(job, entry);
    const unredacted = await action?.check?.(context.server, entry.item, job.answers, failures);
    const left = unredacted?.length ?? Object.keys(failures).length;
    const kept = left === 0 ? {} : unredacted ? { unredacted } : { left: failures };
    settle(
      context,
      job,
      { ...entry, ...kept },
      { outcome: 'done', ...(left > 0 && { detail: `not done: ${left}` }) },
    );
    return { state: 'done', ...kept };
  } catch (error) {
    // Whatever else it is may pass: the server goes on with it in any case.
    if (!(error instanceof NotFound)) return undefined;
    return failed(/*i18n*/ 'The result is no longer available.');
  }
}
