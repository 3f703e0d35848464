/** Beginning a job, going on with one, taking it back, and stopping it. */

import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, Answers, Surroundings } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import type { Item } from '../items.ts';
import { asError, asFailure, isIncomplete, isLoggedTogether, isLost, type Job, type JobItem } from './job.ts';
import { halt, jobsOf, newId } from './job-store.ts';
import { logAll } from './log-job.ts';
import { behind, entriesFor, lasting, undoable } from './steps-of-job.ts';
import { workOff } from './work-off.ts';

type JobRequest = {
  action: Action;
  items: readonly Item[];
  answers: Answers;
};

export type Run = {
  job: Job;
  /** Fulfilled when nothing of it is left to do here; what goes on on the server may go on. */
  settled: Promise<void>;
  /** What is to be shown once, by item. */
  secrets: ReadonlyMap<string, string>;
};

/** Begins an action. */
export function startJob(context: Surroundings, request: JobRequest): Run {
  return run(context, begin(context, request));
}

function begin({ server }: Surroundings, { action, items, answers }: JobRequest): Job {
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

/** Goes on with a job that was stopped. */
export function resumeJob(context: Surroundings, shown: Job): Run {
  const job = asItIs(context, shown);
  const items = job.items.map(
    (entry): JobItem =>
      entry.state === 'running' ? { ...entry, state: 'waiting', sentBefore: true } : entry,
  );
  return run(context, takeAgain(context, { ...job, items }));
}

/**
 * Does what failed or is incomplete again, or one of it, and then what had to wait for that. What else remained when the job was stopped
 * goes on remaining. Whoever takes back one by itself has read that somebody else may have done it.
 */
export function retryJob(context: Surroundings, shown: Job, only?: string): Run {
  const job = asItIs(context, shown);
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
  const those = new Set([...again, ...behind(items, again)]);
  return run(context, takeAgain(context, { ...job, items }), those);
}

/** Takes back what was done. */
export function undoJob(context: Surroundings, shown: Job): Run {
  const job = asItIs(context, shown);
  const items = undoable(job).map(
    ({ logged: _, left: __, unredacted: ___, ...entry }): JobItem => ({ ...entry, state: 'waiting' }),
  );
  const stays = [...new Set(lasting(job).flatMap(({ step }) => step ?? []))];
  return run(
    context,
    takeAgain(context, { ...job, direction: 'undo', items, ...(stays.length > 0 && { stays }) }),
  );
}

/** Begins nothing more; what is on its way arrives. */
export function stopJob({ server }: Surroundings, { id }: Job) {
  const jobs = jobsOf(server);
  const job = jobs.own(id);
  if (job) halt(job, jobs);
}

/** Looks again at what goes on on the server for a job that another page began. */
export function followAgain(context: Surroundings, job: Job) {
  run(context, takeAgain(context, job), new Set());
}

/** What is shown is a moment old, and a reply may have come since. */
const asItIs = ({ server }: Surroundings, job: Job): Job => jobsOf(server).own(job.id) ?? job;

function takeAgain({ server }: Surroundings, { why: _, ...job }: Job): Job {
  return jobsOf(server).take({ ...job, state: 'running' });
}

/** @param only these of what waits, by their transactions */
function run(context: Surroundings, job: Job, only?: ReadonlySet<string>): Run {
  const secrets = new Map<string, string>();
  const action = actionById(job.action);
  async function work() {
    if (!action) return;
    try {
      await workOff(context, action, job, { secrets, only });
    } catch (error) {
      halt(job, jobsOf(context.server), asFailure(error));
    }
  }
  return { job, settled: work(), secrets };
}

/** An item with what its undo needs to know of the reports that it is acted on because of. */
export function withMarks(server: Server, item: Item): Item {
  const { marksOf } = teamOf(server).snapshot();
  const { reports = [], reportKind = 'report' } = item;
  const escalated = reports.filter((id) => marksOf[reportKind].get(id)?.state === 'escalated');
  return escalated.length > 0 ? { ...item, escalated } : item;
}

// Putting a job out of sight, or back, that a page left behind which crashed: what it did is in the log all the same.

export function logLeft(server: Server, job: Job) {
  if (isLoggedTogether(job)) logAll(server, job, false);
}

export function dismissJob(server: Server, job: Job) {
  logLeft(server, job);
  jobsOf(server).remove(job.id);
}
