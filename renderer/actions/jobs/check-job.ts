/** Checks whether requests without a reply arrived. */
import pLimit from 'p-limit';
import { eventReportQuery } from '../../api/reports/event-reports.ts';
import { filedReportQuery } from '../../api/reports/filed-reports.ts';
import { NotFound } from '../../transport/refusal.ts';
import type { ActionContext } from '../action.ts';
import type { Item } from '../items.ts';
import { endJob } from './end-job.ts';
import { asFailure, type Job, type JobItem } from './job.ts';
import { currentRun, itemOf, jobsOf, setItem } from './job-store.ts';
import { recordOutcome } from './outcome.ts';

const atOnce = 4;

/** By action, a read-only check of whether it was carried out on an item. */
const wasDone: Readonly<Record<string, (context: ActionContext, item: Item) => Promise<boolean>>> = {
  'delete-report': async ({ server, queryClient }, item) => {
    if (item.kind !== 'filed') return false;
    const { of, reportId } = item;
    return isGone(
      of === 'event'
        ? queryClient.fetchQuery({ ...eventReportQuery(server, reportId), ...uncached })
        : queryClient.fetchQuery({ ...filedReportQuery(server, of, reportId), ...uncached }),
    );
  },
};

const uncached = { staleTime: 0, gcTime: 0 };

const isGone = (lookup: Promise<unknown>): Promise<boolean> =>
  lookup.then(
    () => false,
    (error) => {
      if (error instanceof NotFound) return true;
      throw error;
    },
  );

/** Whether a job has unknown results that can be checked. */
export const canCheck = ({ action, direction, items, state }: Job): boolean =>
  state === 'stopped' &&
  direction === 'do' &&
  wasDone[action] !== undefined &&
  items.some((entry) => entry.state === 'running');

/** Marks items that arrived as done and others as waiting. Stays unknown if the check fails. */
export async function checkJob(context: ActionContext, stopped: Job): Promise<void> {
  const jobs = jobsOf(context.server);
  const ask = wasDone[stopped.action];
  if (!ask) return;
  const { why: _, ...rest } = jobs.own(stopped.id) ?? stopped;
  const job = jobs.take(rest);
  const unknown = job.items.filter(({ state }) => state === 'running');

  async function one(entry: JobItem) {
    const isDone = await ask?.(context, entry.item);
    // Resumed, or the reply has arrived: the run decides the outcome.
    if (job.state !== 'stopped' || itemOf(job, entry.transaction) !== entry) return;
    // The request may still arrive; its reply is pending.
    if (!isDone && currentRun(jobs, job)?.inFlight.has(entry.transaction)) return;
    setItem(jobs, job, entry, { state: isDone ? 'done' : 'waiting' });
    if (isDone) recordOutcome(context, job, entry, { outcome: 'done' });
  }
  const limit = pLimit(atOnce);
  try {
    await limit.map(unknown, async (entry) => {
      if (job.state === 'stopped') await one(entry);
    });
  } catch (error) {
    limit.clearQueue();
    job.why = asFailure(error);
    jobs.changed(job);
  }
  if (job.state === 'stopped') endJob(context, job, jobs);
}
