/** Runs the waiting items of a job, a few at a time, and stores each result. */
import { i18n } from '@lingui/core';
import pLimit from 'p-limit';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { isStillAdmin } from '../../api/user-changes.ts';
import { noticesOf } from '../../components/notices.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, ActionContext } from '../action.ts';
import { perhapsOthers } from '../catalogue/changes.ts';
import { detailOf, keyOf } from '../items.ts';
import { endJob } from './end-job.ts';
import { followTasks } from './follow-tasks.ts';
import {
  asError,
  asFailure,
  distinctItems,
  isLoggedTogether,
  isLost,
  isRefusedInput,
  type Job,
  type JobItem,
  pause,
} from './job.ts';
import { beginRun, currentRun, endRun, halt, itemOf, type JobRun, jobsOf, setItem } from './job-store.ts';
import { logAll } from './log-job.ts';
import { recordOutcome } from './outcome.ts';
import { ofTasks, refresh } from './refresh.ts';
import { actionOf, chainsOf } from './steps-of-job.ts';
import { maxRetries, withRetries } from './with-retries.ts';

/** More at a time would look like an attack, and slow the server down for everyone. */
const atOnce = 4;
const maxRateLimitWait = 60_000;
const defaultRateLimitWait = 2_000;
/** A closing page aborts its requests before it stops running. */
const pageCloseWait = 300;

type RunOptions = {
  /** Receives results that are shown once, by item key. */
  secrets: Map<string, string>;
  only: JobRun['only'];
};

const isIncluded = (only: JobRun['only'], transaction: string) => only?.has(transaction) ?? true;

/** Runs a job's waiting items. Resolves when this page has nothing left to send. */
export async function runItems(
  context: ActionContext,
  action: Action,
  job: Job,
  { secrets, only }: RunOptions,
) {
  const jobs = jobsOf(context.server);
  const run = beginRun(jobs, job, only);
  const isCurrent = () => currentRun(jobs, job) === run;
  let pausedUntil = 0;
  const count = distinctItems(job).length;
  const workers = Math.min(atOnce, count);
  const isMany = count > 1;
  const { deletedReports } = context;
  /** Requests in a row without a reply, and the items that failed by that. */
  let lostInRow = 0;
  const lostItems: JobItem[] = [];
  const maxLostInRow = maxRetries * workers;
  const chains = chainsOf(job, (transaction) => isIncluded(only, transaction));

  const afterRun = new Map<string, () => Promise<unknown>>();
  const work = {
    deletedReports,
    afterRun(name: string, task: () => Promise<unknown>) {
      if (!afterRun.has(name)) afterRun.set(name, task);
    },
  };

  /** Whether a newer run sent this item again: the reply to this request is ignored. */
  const isSuperseded = (entry: JobItem) => itemOf(job, entry.transaction) !== entry;

  /** The unfinished items that no newer run has taken over. */
  const unfinished = () =>
    job.items.filter(
      ({ state, transaction }) =>
        state !== 'done' &&
        isIncluded(only, transaction) &&
        (isCurrent() || !isIncluded(currentRun(jobs, job)?.only, transaction)),
    );
  const activeRun = { unfinished: () => unfinished().map(({ item }) => item) };
  const onEnd = job.direction === 'do' ? await action.onRun?.(context, activeRun).catch(() => {}) : undefined;
  if (isCurrent()) run.onEnd = onEnd ?? undefined;
  else onEnd?.(false);

  /** Logs the results so far, as another page may never resume the job. */
  function onPageHide() {
    if (isLoggedTogether(job)) logAll(context.server, job, false);
    jobs.release(job);
  }
  window.addEventListener('pagehide', onPageHide);

  /** Records the lost items as failed: the server answers other requests. */
  function recordLost() {
    for (const entry of lostItems.splice(0)) {
      const detail = entry.failure && asError(entry.failure).message;
      recordOutcome(context, job, entry, { outcome: 'failed', ...(detail !== undefined && { detail }) });
    }
  }

  /** Marks an item as sent with an unknown result. */
  function markUnanswered(entry: JobItem) {
    const { failure: _, ...sent } = entry;
    if (!isSuperseded(entry)) setItem(jobs, job, sent, { state: 'running' });
  }

  async function runItem(waiting: JobItem) {
    const action = actionOf(job, waiting);
    if (!action) return;
    let entry = setItem(jobs, job, waiting, { state: 'running' });
    const { item, transaction } = entry;
    const set = (change: Partial<JobItem>) => {
      entry = setItem(jobs, job, entry, change);
    };
    const isWanted = () => job.state === 'running' && !isSuperseded(entry);
    const server = isMany
      ? withRetries(context.server, {
          answered() {
            lostInRow = 0;
            recordLost();
          },
          lost: () => ++lostInRow < maxLostInRow && isWanted(),
          isWanted,
        })
      : context.server;
    async function first<Before>(read: () => Promise<Before>): Promise<Before> {
      if (entry.sentBefore && entry.before !== undefined) return entry.before as Before;
      const before = await read();
      if (!isSuperseded(entry)) set({ before });
      return before;
    }
    try {
      if (job.direction === 'undo') {
        if (entry.unsure) throw perhapsOthers();
        const undoing = { ...work, server, action: action.id, transaction: `${transaction}u`, first };
        await action.undo?.(undoing, item, entry.undo);
        if (isSuperseded(entry)) return;
        set({ state: 'done' });
        const part = detailOf(item);
        recordOutcome(context, job, entry, {
          outcome: 'undone',
          ...(part !== undefined && { detail: part }),
        });
        return;
      }
      const { task, undo, unchanged, unsure, secret, detail, media, until, unredacted } = await action.run(
        { ...work, server, action: action.id, transaction, first },
        item,
        job.answers,
      );
      if (isSuperseded(entry)) return;
      if (secret !== undefined) secrets.set(keyOf(item), secret);
      const kept = {
        ...(undo !== undefined && { undo }),
        // Sent before without reading the state first: that request may have caused the change.
        ...(unchanged && (entry.sentBefore && entry.before === undefined ? { unsure: true } : { unchanged })),
        ...(unsure && { unsure }),
        ...(media !== undefined && { media }),
        ...(until !== undefined && { until }),
        ...(unredacted && unredacted.length > 0 && { unredacted }),
      };
      if (task === undefined) {
        const { before: _, ...over } = entry;
        setItem(jobs, job, over, { state: 'done', ...kept });
        recordOutcome(
          context,
          job,
          { ...entry, ...kept },
          { outcome: 'done', ...(detail !== undefined && { detail }) },
        );
      } else {
        set({ state: 'task', task, ...kept });
        refresh(context.queryClient, context.server, item, ofTasks);
      }
    } catch (error) {
      // A closing page aborts its requests; they may have arrived.
      if (isLostConnection(error)) await pause(pageCloseWait);
      if (isSuperseded(entry)) return;
      if (error instanceof ConnectionFailure && error.code === 'rate_limited') {
        const seconds = Number(error.values.seconds ?? 0);
        pausedUntil =
          Date.now() + Math.min(seconds > 0 ? seconds * 1000 : defaultRateLimitWait, maxRateLimitWait);
        set({ state: 'waiting' });
      } else if (isMany && isLost(error) && lostInRow < maxLostInRow && job.state === 'running') {
        set({ state: 'failed', failure: asFailure(error) });
        lostItems.push(entry);
      } else if (isLostConnection(error)) {
        for (const before of lostItems.splice(0)) markUnanswered(before);
        if (!mayHaveArrived(error)) set({ state: 'waiting' });
        halt(job, jobs, asFailure(error));
      } else if (isMany && isAboutRights(error) && !(await isStillAdmin(context.server))) {
        set({ state: 'waiting' });
        halt(job, jobs, asFailure(error));
      } else {
        const failure = asFailure(error);
        set({ state: 'failed', failure });
        // Input errors of a form don't belong in the moderation history.
        if (isMany || waiting.step !== undefined || !isRefusedInput(failure)) {
          recordOutcome(context, job, entry, { outcome: 'failed', detail: (error as Error).message });
        }
      }
    }
  }

  /** Waits until the server's task has ended, or this run has. */
  function taskEnded(transaction: string) {
    void followTasks(context, job);
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => {
      const isActive = itemOf(job, transaction)?.state === 'task';
      if (!isActive || job.state !== 'running' || !isCurrent() || !jobs.isOwn(job)) resolve();
    };
    const unsubscribe = jobs.subscribe(check);
    check();
    return promise.finally(unsubscribe);
  }

  /** Runs the first item of a chain. Returns the rest, or the whole chain if the server is rate limiting. */
  async function runNext(chain: readonly string[]): Promise<readonly string[]> {
    const [transaction = '', ...rest] = chain;
    const stateNow = () => itemOf(job, transaction)?.state;
    const entry = itemOf(job, transaction);
    if (entry?.state === 'waiting') {
      run.inFlight.add(transaction);
      await runItem(entry);
      run.inFlight.delete(transaction);
      if (stateNow() === 'waiting') return chain;
    }
    if (rest.length > 0 && stateNow() === 'task') await taskEnded(transaction);
    const canContinue = stateNow() === 'done' || (job.direction === 'undo' && stateNow() === 'failed');
    return canContinue ? rest : [];
  }

  const shouldContinue = () => job.state === 'running' && isCurrent();

  await pLimit(atOnce).map(chains, async (chain) => {
    for (let rest: readonly string[] = chain; rest.length > 0 && shouldContinue(); ) {
      await pause(pausedUntil - Date.now());
      if (pausedUntil <= Date.now() && shouldContinue()) rest = await runNext(rest);
    }
  });
  const results = await Promise.allSettled([...afterRun.values()].map((task) => task()));
  for (const result of results)
    if (result.status === 'rejected') showLeaveFailure(context.server, result.reason);
  window.removeEventListener('pagehide', onPageHide);
  recordLost();
  // Before `onEnd` drops the deleted reports: their log entry ends their marks.
  if (isCurrent() && isLoggedTogether(job)) logAll(context.server, job, false);
  endRun(run, true);
  if (job.state === 'running' && !isCurrent()) return;
  if (job.items.some(({ state }) => state === 'task')) void followTasks(context, job);
  else endJob(context, job, jobs);
}

const showLeaveFailure = (server: Server, error: unknown) =>
  noticesOf(server).show({
    text: i18n.t("Couldn't leave the room afterwards: {why}", {
      why: failureSentence(asError(asFailure(error))),
    }),
    isFailure: true,
  });

/** Whether the request was sent and may have arrived. */
const mayHaveArrived = (error: ConnectionFailure) =>
  !['bad_credentials', 'no_such_connection'].includes(error.code);

const isAboutRights = (error: unknown) =>
  error instanceof ConnectionFailure && error.code === 'not_administrator';

const isLostConnection = (error: unknown): error is ConnectionFailure =>
  error instanceof ConnectionFailure &&
  ['unreachable', 'timeout', 'bad_credentials', 'no_such_connection', 'cancelled'].includes(error.code);
