/** Polls the server's tasks of a job. */
import { NotFound } from '../../transport/refusal.ts';
import type { ActionContext } from '../action.ts';
import { endJob } from './end-job.ts';
import type { Job, JobItem } from './job.ts';
import { pause } from './job.ts';
import { currentRun, jobsOf, setItem } from './job-store.ts';
import { recordOutcome } from './outcome.ts';
import { actionOf } from './steps-of-job.ts';

const minInterval = 500;
const maxInterval = 5_000;

/** The IDs of the jobs that are being followed. */
const followedJobs = () => new Set<string>();

/** Polls a job's tasks until all have ended, then ends the job. */
export async function followTasks(context: ActionContext, job: Job) {
  const jobs = jobsOf(context.server);
  const followed = context.server.state(followedJobs);
  if (followed.has(job.id)) return;
  followed.add(job.id);
  const open = () => job.items.filter(({ state }) => state === 'task');
  for (let wait = minInterval; open().length > 0; wait = Math.min(wait * 1.5, maxInterval)) {
    await pause(wait);
    // Dismissed, or claimed by another page.
    if (!jobs.isOwn(job)) break;
    for (const entry of open()) {
      const change = await checkTask(context, job, entry);
      if (change) setItem(jobs, job, entry, change);
    }
    jobs.changed(job);
  }
  followed.delete(job.id);
  // A newer run ends the job.
  if (currentRun(jobs, job)?.isActive) return;
  endJob(context, job, jobs);
}

/** Returns the change of an item whose task has progressed; undefined if unknown. */
async function checkTask(
  context: ActionContext,
  job: Job,
  entry: JobItem,
): Promise<Partial<JobItem> | undefined> {
  const failed = (sentence: string, error = ''): Partial<JobItem> => {
    recordOutcome(context, job, entry, { outcome: 'failed', detail: error || sentence });
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
    recordOutcome(
      context,
      job,
      { ...entry, ...kept },
      { outcome: 'done', ...(left > 0 && { detail: `not done: ${left}` }) },
    );
    return { state: 'done', ...kept };
  } catch (error) {
    // Other errors are temporary: the task continues on the server.
    if (!(error instanceof NotFound)) return undefined;
    return failed(/*i18n*/ 'The result is no longer available.');
  }
}
