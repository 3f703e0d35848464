/** Finding out what became of what was sent and never answered. */
import pLimit from 'p-limit';
import { eventReportQuery } from '../../api/event-reports.ts';
import { filedReportQuery } from '../../api/filed-reports.ts';
import { NotFound } from '../../transport/refusal.ts';
import type { Surroundings } from '../action.ts';
import type { Item } from '../items.ts';
import { end } from './end-job.ts';
import { asFailure, type Job, type JobItem } from './job.ts';
import { itemOf, jobsOf, setItem, turnOf } from './job-store.ts';
import { settle } from './outcome.ts';

const atOnce = 4;

/** By action, whether it was done to an item: asked of the server, and nothing is changed by it. */
const wasDone: Readonly<Record<string, (context: Surroundings, item: Item) => Promise<boolean>>> = {
  'delete-report': async ({ server, queryClient }, item) => {
    if (item.kind !== 'filed') return false;
    const { of, reportId } = item;
    return isGone(
      of === 'event'
        ? queryClient.fetchQuery({ ...eventReportQuery(server, reportId), ...askedNow })
        : queryClient.fetchQuery({ ...filedReportQuery(server, of, reportId), ...askedNow }),
    );
  },
};

const askedNow = { staleTime: 0, gcTime: 0 };

const isGone = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => false,
    (error) => {
      if (error instanceof NotFound) return true;
      throw error;
    },
  );

/** Whether there is something of a job to be found out, and a way to. */
export const canCheck = ({ action, direction, items, state }: Job): boolean =>
  state === 'stopped' &&
  direction === 'do' &&
  wasDone[action] !== undefined &&
  items.some((entry) => entry.state === 'running');

/** What arrived is done, and what didn't remains; what can't be found out now stays unknown. */
export async function checkJob(context: Surroundings, stopped: Job): Promise<void> {
  const jobs = jobsOf(context.server);
  const ask = wasDone[stopped.action];
  if (!ask) return;
  const { why: _, ...rest } = jobs.own(stopped.id) ?? stopped;
  const job = jobs.take(rest);
  const unknown = job.items.filter(({ state }) => state === 'running');

  async function one(entry: JobItem) {
    const isDone = await ask?.(context, entry.item);
    // It goes on meanwhile, or its reply has come: then the run says what becomes of it.
    if (job.state !== 'stopped' || itemOf(job, entry.transaction) !== entry) return;
    // It may still arrive, and its reply is waited for.
    if (!isDone && turnOf(jobs, job)?.onTheirWay.has(entry.transaction)) return;
    setItem(jobs, job, entry, { state: isDone ? 'done' : 'waiting' });
    if (isDone) settle(context, job, entry, { outcome: 'done' });
  }
  const turn = pLimit(atOnce);
  try {
    await turn.map(unknown, async (entry) => {
      if (job.state === 'stopped') await one(entry);
    });
  } catch (error) {
    turn.clearQueue();
    job.why = asFailure(error);
    jobs.changed(job);
  }
  if (job.state === 'stopped') end(context, job, jobs);
}
