/** Does what waits of a job, a few things at a time, and keeps what became of each. */
import { i18n } from '@lingui/core';
import pLimit from 'p-limit';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { isStillAdmin } from '../../api/user-changes.ts';
import { showNotice } from '../../components/notice.tsx';
import { failureSentence } from '../../transport/refusal.ts';
import type { Action, Surroundings } from '../action.ts';
import { perhapsOthers } from '../catalogue/changes.ts';
import { keyOf, partOf } from '../items.ts';
import { end } from './end-job.ts';
import { follow } from './follow-tasks.ts';
import {
  asError,
  asFailure,
  isLoggedTogether,
  isLost,
  isRefusedInput,
  type Job,
  type JobItem,
  pause,
  subjectsOf,
} from './job.ts';
import { beginTurn, endTurn, halt, itemOf, jobsOf, setItem, type Turn, turnOf } from './job-store.ts';
import { logAll } from './log-job.ts';
import { settle } from './outcome.ts';
import { ofTasks, refresh } from './refresh.ts';
import { mostLostEach, sentAgain } from './sent-again.ts';
import { actionOf, chainsOf } from './steps-of-job.ts';

/** More at a time would look like an attack, and slow the server down for everyone. */
const atOnce = 4;
const mostWait = 60_000;
const usualWait = 2_000;
const pageGoesWithin = 300;

type How = {
  /** What is to be shown once, by item. */
  secrets: Map<string, string>;
  only: Turn['only'];
};

const isAmong = (chosen: Turn['only'], transaction: string) => chosen?.has(transaction) ?? true;

/** Does what waits of a job, and is fulfilled when nothing of it is left to do here. */
export async function workOff(context: Surroundings, action: Action, job: Job, { secrets, only }: How) {
  const jobs = jobsOf(context.server);
  const turn = beginTurn(jobs, job, only);
  const isOurs = () => turnOf(jobs, job) === turn;
  let goesOnAt = 0;
  const count = subjectsOf(job).length;
  const workers = Math.min(atOnce, count);
  const isMany = count > 1;
  const { deletedReports } = context;
  /** How many requests in a row had no reply, and what failed by that meanwhile. */
  let lostInRow = 0;
  const lost: JobItem[] = [];
  const mostLost = mostLostEach * workers;
  const chains = chainsOf(job, (transaction) => isAmong(only, transaction));

  const atEnd = new Map<string, () => Promise<unknown>>();
  const work = {
    deletedReports,
    atEnd(name: string, task: () => Promise<unknown>) {
      if (!atEnd.has(name)) atEnd.set(name, task);
    },
  };

  /** Whoever went on with the job, or took it back, has sent it anew: what becomes of this one's request is no news. */
  const isTaken = (entry: JobItem) => itemOf(job, entry.transaction) !== entry;

  /** Whoever went on has taken over what they do of it; the rest is nobody's. */
  const left = () =>
    job.items.filter(
      ({ state, transaction }) =>
        state !== 'done' &&
        isAmong(only, transaction) &&
        (isOurs() || !isAmong(turnOf(jobs, job)?.only, transaction)),
    );
  const accompanied = { left: () => left().map(({ item }) => item) };
  // Where it can't be loaded, the server is away: what is begun then stops by itself.
  const leave =
    job.direction === 'do' ? await action.accompany?.(context, accompanied).catch(() => {}) : undefined;
  if (isOurs()) turn.leave = leave ?? undefined;
  else leave?.(false);

  /** Whoever goes on with it, or doesn't: what was done until then is in the log. */
  function logLeaving() {
    if (isLoggedTogether(job)) logAll(context.server, job, false);
    jobs.leave(job);
  }
  window.addEventListener('pagehide', logLeaving);

  /** The server answers others: these failed, each by itself. */
  function logLost() {
    for (const entry of lost.splice(0)) {
      const detail = entry.failure && asError(entry.failure).message;
      settle(context, job, entry, { outcome: 'failed', ...(detail !== undefined && { detail }) });
    }
  }

  /** It may have arrived, and it may not. */
  function unanswered(entry: JobItem) {
    const { failure: _, ...sent } = entry;
    if (!isTaken(entry)) setItem(jobs, job, sent, { state: 'running' });
  }

  async function one(begun: JobItem) {
    const action = actionOf(job, begun);
    if (!action) return;
    let entry = setItem(jobs, job, begun, { state: 'running' });
    const { item, transaction } = entry;
    const set = (change: Partial<JobItem>) => {
      entry = setItem(jobs, job, entry, change);
    };
    const goesOn = () => job.state === 'running' && !isTaken(entry);
    const server = isMany
      ? sentAgain(context.server, {
          answered() {
            lostInRow = 0;
            logLost();
          },
          lost: () => ++lostInRow < mostLost && goesOn(),
          goesOn,
        })
      : context.server;
    async function first<Before>(read: () => Promise<Before>): Promise<Before> {
      if (entry.sentBefore && entry.before !== undefined) return entry.before as Before;
      const before = await read();
      if (!isTaken(entry)) set({ before });
      return before;
    }
    try {
      if (job.direction === 'undo') {
        if (entry.unsure) throw perhapsOthers();
        const undoing = { ...work, server, action: action.id, transaction: `${transaction}u`, first };
        await action.undo?.(undoing, item, entry.undo);
        if (isTaken(entry)) return;
        set({ state: 'done' });
        const part = partOf(item);
        settle(context, job, entry, { outcome: 'undone', ...(part !== undefined && { detail: part }) });
        return;
      }
      const { task, undo, unchanged, unsure, secret, detail, media, until, unredacted } = await action.run(
        { ...work, server, action: action.id, transaction, first },
        item,
        job.answers,
      );
      if (isTaken(entry)) return;
      if (secret !== undefined) secrets.set(keyOf(item), secret);
      const kept = {
        ...(undo !== undefined && { undo }),
        // Where it isn't known how it was when it was sent first, it may be what arrived unanswered.
        ...(unchanged && (entry.sentBefore && entry.before === undefined ? { unsure: true } : { unchanged })),
        ...(unsure && { unsure }),
        ...(media !== undefined && { media }),
        ...(until !== undefined && { until }),
        ...(unredacted && unredacted.length > 0 && { unredacted }),
      };
      if (task === undefined) {
        const { before: _, ...over } = entry;
        setItem(jobs, job, over, { state: 'done', ...kept });
        settle(
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
      // A page that goes away cuts its own requests: then nothing is wrong with the server, and they may have arrived.
      if (isLostConnection(error)) await pause(pageGoesWithin);
      if (isTaken(entry)) return;
      if (error instanceof ConnectionFailure && error.code === 'rate_limited') {
        const seconds = Number(error.values.seconds ?? 0);
        goesOnAt = Date.now() + Math.min(seconds > 0 ? seconds * 1000 : usualWait, mostWait);
        set({ state: 'waiting' });
      } else if (isMany && isLost(error) && lostInRow < mostLost && job.state === 'running') {
        const failure = asFailure(error);
        set({ state: 'failed', failure });
        lost.push(entry);
      } else if (isLostConnection(error)) {
        for (const before of lost.splice(0)) unanswered(before);
        if (!hasNoReply(error)) set({ state: 'waiting' });
        halt(job, jobs, asFailure(error));
      } else if (isMany && isAboutRights(error) && !(await isStillAdmin(context.server))) {
        set({ state: 'waiting' });
        halt(job, jobs, asFailure(error));
      } else {
        const failure = asFailure(error);
        set({ state: 'failed', failure });
        // What was mistyped in a form is no part of anybody's history.
        if (isMany || begun.step !== undefined || !isRefusedInput(failure)) {
          settle(context, job, entry, { outcome: 'failed', detail: (error as Error).message });
        }
      }
    }
  }

  /** Waits until the server is at an end with it, or nobody waits for that any more. */
  function overOnServer(transaction: string) {
    void follow(context, job);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      const isUnderWay = itemOf(job, transaction)?.state === 'task';
      if (!isUnderWay || job.state !== 'running' || !isOurs() || !jobs.isOwn(job)) resolve();
    };
    const leave = jobs.subscribe(look);
    look();
    return promise.finally(leave);
  }

  /** The first of a chain. @returns what is left of it to begin; the whole where it has to wait */
  async function link(chain: readonly string[]): Promise<readonly string[]> {
    const [transaction = '', ...rest] = chain;
    const stateNow = () => itemOf(job, transaction)?.state;
    const entry = itemOf(job, transaction);
    if (entry?.state === 'waiting') {
      turn.onTheirWay.add(transaction);
      await one(entry);
      turn.onTheirWay.delete(transaction);
      if (stateNow() === 'waiting') return chain;
    }
    if (rest.length > 0 && stateNow() === 'task') await overOnServer(transaction);
    const isOver = stateNow() === 'done' || (job.direction === 'undo' && stateNow() === 'failed');
    return isOver ? rest : [];
  }

  const isToGoOn = () => job.state === 'running' && isOurs();

  await pLimit(atOnce).map(chains, async (chain) => {
    for (let rest: readonly string[] = chain; rest.length > 0 && isToGoOn(); ) {
      await pause(goesOnAt - Date.now());
      if (goesOnAt <= Date.now() && isToGoOn()) rest = await link(rest);
    }
  });
  const ended = await Promise.allSettled([...atEnd.values()].map((task) => task()));
  for (const one of ended) if (one.status === 'rejected') sayNotEnded(one.reason);
  window.removeEventListener('pagehide', logLeaving);
  logLost();
  // Before a deletion shows that its reports are gone: their marks end with its entry.
  if (isOurs() && isLoggedTogether(job)) logAll(context.server, job, false);
  endTurn(turn, true);
  if (job.state === 'running' && !isOurs()) return;
  if (job.items.some(({ state }) => state === 'task')) void follow(context, job);
  else end(context, job, jobs);
}

const sayNotEnded = (error: unknown) =>
  showNotice({
    text: i18n.t("Couldn't leave the room afterwards: {why}", {
      why: failureSentence(asError(asFailure(error))),
    }),
  });

/** Sent, and nobody knows whether it arrived; to do it twice is to do it once. */
const hasNoReply = (error: ConnectionFailure) =>
  !['bad_credentials', 'no_such_connection'].includes(error.code);

const isAboutRights = (error: unknown) =>
  error instanceof ConnectionFailure && error.code === 'not_administrator';

const isLostConnection = (error: unknown): error is ConnectionFailure =>
  error instanceof ConnectionFailure &&
  ['unreachable', 'timeout', 'bad_credentials', 'no_such_connection', 'cancelled'].includes(error.code);
