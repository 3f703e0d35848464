/** Starts, resumes, retries, undoes, stops and dismisses jobs. */

import type { Answers } from '../../../shared/team/action-inputs.ts';
import { newId } from '../../new-id.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, ActionContext } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import type { Item } from '../items.ts';
import { asError, asFailure, isIncomplete, isLoggedTogether, isLost, type Job, type JobItem } from './job.ts';
import { halt, jobsOf } from './job-store.ts';
import { logAll } from './log-job.ts';
import { runItems } from './run-items.ts';
import { entriesFor, irreversibleItems, undoableItems, waitingAfter } from './steps-of-job.ts';

type JobRequest = {
  action: Action;
  items: readonly Item[];
  answers: Answers;
};

export type Run = {
  job: Job;
  /** Resolves when this page has nothing left to send; tasks on the server may still run. */
  settled: Promise<void>;
  /** Results that are shown once, by item key. */
  secrets: ReadonlyMap<string, string>;
};

export function startJob(context: ActionContext, request: JobRequest): Run {
  return run(context, begin(context, request));
}

function begin({ server }: ActionContext, { action, items, answers }: JobRequest): Job {
  const id = newId();
  const begun: Job = {
    id,
    action: action.id,
    startedAt: Date.now(),
    direction: 'do',
    answers,
    items: items
      .flatMap((item) => entriesFor(server, action, withMarks(server, item), answers))
      .map((entry, index) => ({ ...entry, state: 'waiting' as const, transaction: `${id}.${index}` })),
    state: 'running',
    page: '',
    beat: 0,
  };
  return jobsOf(server).take(begun, { isKept: !action.shownOnce });
}

/** Continues a stopped job. Sends items again whose reply was lost. */
export function resumeJob(context: ActionContext, shown: Job): Run {
  const job = currentJob(context, shown);
  const items = job.items.map(
    (entry): JobItem =>
      entry.state === 'running' ? { ...entry, state: 'waiting', sentBefore: true } : entry,
  );
  return run(context, restart(context, { ...job, items }));
}

/**
 * Retries the failed and incomplete items, or only one, and then the steps that wait for them. Other waiting items of a
 * stopped job stay as they are. Retrying the undo of one item confirms that another admin's change may be undone.
 */
export function retryJob(context: ActionContext, shown: Job, only?: string): Run {
  const job = currentJob(context, shown);
  const again = new Set(
    job.items
      .filter(
        (entry) =>
          (entry.state === 'failed' || isIncomplete(entry)) &&
          (only ?? entry.transaction) === entry.transaction,
      )
      .map(({ transaction }) => transaction),
  );
  const items = job.items.map((entry): JobItem => {
    if (!again.has(entry.transaction)) return entry;
    const { failure, unsure, left, unredacted, logged: _, ...rest } = entry;
    const sentBefore = failure && isLost(asError(failure));
    return {
      ...rest,
      state: 'waiting',
      ...(unsure && only === undefined && { unsure }),
      ...(sentBefore && { sentBefore }),
    };
  });
  const included = new Set([...again, ...waitingAfter(items, again)]);
  return run(context, restart(context, { ...job, items }), included);
}

/** Undoes a job's own changes. */
export function undoJob(context: ActionContext, shown: Job): Run {
  const job = currentJob(context, shown);
  const items = undoableItems(context.server, job).map(
    ({ logged: _, left: __, unredacted: ___, ...entry }): JobItem => ({ ...entry, state: 'waiting' }),
  );
  const stays = [...new Set(irreversibleItems(job).flatMap(({ step }) => step ?? []))];
  return run(
    context,
    restart(context, { ...job, direction: 'undo', items, ...(stays.length > 0 && { stays }) }),
  );
}

/** Stops starting items; replies in flight are still handled. */
export function stopJob({ server }: ActionContext, { id }: Job) {
  const jobs = jobsOf(server);
  const job = jobs.own(id);
  if (job) halt(job, jobs);
}

/** Follows the server's tasks of a job that another page started. */
export function followTasksOf(context: ActionContext, job: Job) {
  run(context, restart(context, job), new Set());
}

/** Returns the current job; a shown copy can be outdated. */
const currentJob = ({ server }: ActionContext, job: Job): Job => jobsOf(server).own(job.id) ?? job;

function restart({ server }: ActionContext, { why: _, ...job }: Job): Job {
  return jobsOf(server).take({ ...job, state: 'running' });
}

/** @param only limits the run to these transactions */
function run(context: ActionContext, job: Job, only?: ReadonlySet<string>): Run {
  const secrets = new Map<string, string>();
  const action = actionById(job.action);
  async function work() {
    if (!action) return;
    try {
      await runItems(context, action, job, { secrets, only });
    } catch (error) {
      halt(job, jobsOf(context.server), asFailure(error));
    }
  }
  return { job, settled: work(), secrets };
}

/** Returns the item with its escalated reports, for the undo. */
export function withMarks(server: Server, item: Item): Item {
  const { marksOf } = teamOf(server).snapshot();
  const { reports = [], reportKind = 'report' } = item;
  const escalated = reports.filter((id) => marksOf[reportKind].get(id)?.state === 'escalated');
  return escalated.length > 0 ? { ...item, escalated } : item;
}

/** Logs the results of a job whose page crashed before it could. */
export function logInterrupted(server: Server, job: Job) {
  if (isLoggedTogether(job)) logAll(server, job, false);
}

export function dismissJob(server: Server, job: Job) {
  logInterrupted(server, job);
  jobsOf(server).remove(job.id);
}
