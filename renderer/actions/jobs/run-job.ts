/** Does what a job says, a few things at a time, and keeps what became of each. */
import { ConnectionFailure } from '../../../shared/connection.ts';
import { teamOf } from '../../team/team-store.ts';
import { NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, Answers, Surroundings } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { newId } from '../new-id.ts';
import { markReviewed } from '../reviewed-by-acting.ts';
import { type Item, type Kind, keyOf, subjectOf } from '../subject.ts';
import {
  asError,
  asFailure,
  countsOf,
  type Failure,
  isRefusedInput,
  type Job,
  type JobItem,
  mostKept,
  mostLogged,
  undoable,
} from './job.ts';
import { type JobStore, jobsOf } from './job-store.ts';
import { refresh } from './refresh.ts';
import { isLost, mostLostEach, sentAgain } from './sent-again.ts';

/** More at a time would look like an attack, and slow the server down for everyone. */
const atOnce = 4;
const mostWait = 60_000;
const usualWait = 2_000;
const pageGoesWithin = 300;
/** A task on the server is looked at soon at first, then more and more seldom. */
const firstLook = 500;
const seldomLook = 5_000;

export type JobRequest = {
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
export function startJob(context: Surroundings, { action, items, answers }: JobRequest): Run {
  const id = newId();
  const begun: Job = {
    id,
    action: action.id,
    direction: 'do',
    answers,
    items: items.map((item, index) => ({ item, state: 'waiting', transaction: `${id}.${index}` })),
    state: 'running',
    page: '',
    beat: 0,
  };
  return run(
    context,
    jobsOf(context.server.id).take(begun, { isKept: !action.shownOnce && items.length <= mostKept }),
  );
}

/** Goes on with a job that was stopped. */
export function resumeJob(context: Surroundings, job: Job): Run {
  const items = job.items.map(
    (entry): JobItem => (entry.state === 'running' ? { ...entry, state: 'waiting' } : entry),
  );
  return run(context, takeAgain(context, { ...job, items }));
}

/** Does what failed again, or one of it. What remained when the job was stopped goes on remaining. */
export function retryJob(context: Surroundings, job: Job, only?: string): Run {
  const again = new Set(
    job.items
      .filter(({ state, transaction }) => state === 'failed' && (only ?? transaction) === transaction)
      .map(({ transaction }) => transaction),
  );
  const items = job.items.map(({ failure, ...entry }): JobItem => {
    if (again.has(entry.transaction)) return { ...entry, state: 'waiting' };
    return { ...entry, ...(failure && { failure }) };
  });
  return run(context, takeAgain(context, { ...job, items }), again);
}

/** Takes back what was done. */
export function undoJob(context: Surroundings, job: Job): Run {
  const items = undoable(job).map((entry): JobItem => ({ ...entry, state: 'waiting' }));
  return run(context, takeAgain(context, { ...job, direction: 'undo', items, logged: 0 }));
}

function takeAgain({ server }: Surroundings, { why: _, ...job }: Job): Job {
  return jobsOf(server.id).take({ ...job, state: 'running' });
}

/** Begins nothing more; what is on its way arrives. */
export function stopJob({ server }: Surroundings, { id }: Job) {
  const jobs = jobsOf(server.id);
  const job = jobs.own(id);
  if (job?.state !== 'running') return;
  job.state = 'stopped';
  jobs.changed(job);
}

/** @param only these of what waits, by their transactions */
function run(context: Surroundings, job: Job, only?: ReadonlySet<string>): Run {
  const secrets = new Map<string, string>();
  const action = actionById(job.action);
  const settled = action ? work(context, action, job, secrets, only) : Promise.resolve();
  return { job, settled, secrets };
}

/** Whose turn a job is: what was stopped and still waits for its last replies begins nothing more. */
const turns = new WeakMap<Job, symbol>();

async function work(
  context: Surroundings,
  action: Action,
  job: Job,
  secrets: Map<string, string>,
  only: ReadonlySet<string> | undefined,
) {
  const jobs = jobsOf(context.server.id);
  const turn = Symbol('turn');
  turns.set(job, turn);
  const isOurs = () => turns.get(job) === turn;
  let goesOnAt = 0;
  const workers = Math.min(atOnce, job.items.length);
  const isMany = job.items.length > 1;
  const { deletedReports } = context;
  /** How many requests in a row had no reply, and what failed by that meanwhile. */
  let lostInRow = 0;
  const lost: JobItem[] = [];
  const mostLost = mostLostEach * workers;
  const server = isMany
    ? sentAgain(context.server, {
        answered() {
          lostInRow = 0;
          logLost();
        },
        lost: () => ++lostInRow < mostLost && job.state === 'running',
      })
    : context.server;
  const waiting = job.items
    .filter(({ state, transaction }) => state === 'waiting' && (only?.has(transaction) ?? true))
    .map(({ transaction }) => transaction);
  let next = 0;

  const left = () =>
    isOurs()
      ? job.items
          .filter(({ state, transaction }) => state !== 'done' && (only?.has(transaction) ?? true))
          .map(({ item }) => item)
      : [];
  // Where it can't be loaded, the server is away: what is begun then stops by itself.
  const leave = job.direction === 'do' ? await action.accompany?.(context, left).catch(() => {}) : undefined;

  const set = (entry: JobItem, change: Partial<JobItem>) => setItem(job, jobs, entry, change);

  /** The server answers others: these failed, each by itself. */
  function logLost() {
    for (const { item, failure } of lost.splice(0)) {
      const detail = failure && asError(failure).message;
      settle(context, job, item, { outcome: 'failed', ...(detail !== undefined && { detail }) });
    }
  }

  const wait = ({ failure: _, ...entry }: JobItem) => set(entry, { state: 'waiting' });

  async function one(entry: JobItem) {
    set(entry, { state: 'running' });
    const { item, transaction } = entry;
    try {
      if (job.direction === 'undo') {
        await action.undo?.({ server, deletedReports, transaction: `${transaction}u` }, item, entry.undo);
        set(entry, { state: 'done' });
        settle(context, job, item, { outcome: 'undone' });
        return;
      }
      const { task, undo, unchanged, secret, detail, media, until } = await action.run(
        { server, deletedReports, transaction },
        item,
        job.answers,
      );
      if (secret !== undefined) secrets.set(keyOf(item), secret);
      const kept = {
        ...(undo !== undefined && { undo }),
        ...(unchanged && { unchanged }),
        ...(media !== undefined && { media }),
        ...(until !== undefined && { until }),
      };
      if (task === undefined) {
        set(entry, { state: 'done', ...kept });
        settle(context, job, item, { outcome: 'done', ...(detail !== undefined && { detail }) });
      } else {
        set(entry, { state: 'task', task, ...kept });
      }
    } catch (error) {
      if (error instanceof ConnectionFailure && error.code === 'rate_limited') {
        const seconds = Number(error.values.seconds ?? 0);
        goesOnAt = Date.now() + Math.min(seconds > 0 ? seconds * 1000 : usualWait, mostWait);
        set(entry, { state: 'waiting' });
        waiting.push(transaction);
      } else if (isMany && isLost(error) && lostInRow < mostLost && job.state === 'running') {
        const failure = asFailure(error);
        set(entry, { state: 'failed', failure });
        lost.push({ ...entry, failure });
      } else if (isLostConnection(error)) {
        for (const before of lost.splice(0)) wait(before);
        // It may have arrived: it is among what remains, and to do it twice is to do it once.
        wait(entry);
        // A page that goes away cuts its own requests: then nothing is wrong with the server.
        await pause(pageGoesWithin);
        halt(job, jobs, asFailure(error));
      } else {
        const failure = asFailure(error);
        set(entry, { state: 'failed', failure });
        // What was mistyped in a form is no part of anybody's history.
        if (job.items.length > 1 || !isRefusedInput(failure)) {
          settle(context, job, item, { outcome: 'failed', detail: (error as Error).message });
        }
      }
    }
  }

  async function worker() {
    for (;;) {
      await pause(goesOnAt - Date.now());
      if (job.state !== 'running' || !isOurs()) return;
      if (goesOnAt > Date.now()) continue;
      const transaction = waiting[next];
      const entry = transaction === undefined ? undefined : job.items[placeOf(job.items, transaction)];
      if (!entry) return;
      next += 1;
      await one(entry);
    }
  }

  await Promise.all(Array.from({ length: workers }, worker));
  logLost();
  leave?.();
  if (job.state === 'running' && !isOurs()) return;
  if (job.items.some(({ state }) => state === 'task')) void follow(context, action, job, jobs);
  else end(context, job, jobs);
}

function setItem(job: Job, jobs: JobStore, entry: JobItem, change: Partial<JobItem>) {
  const isOver = change.state === 'done' || change.state === 'failed';
  const at = isOver ? { at: Date.now() } : {};
  job.items[placeOf(job.items, entry.transaction)] = { ...entry, ...change, ...at };
  jobs.changed(job);
}

const places = new WeakMap<readonly JobItem[], ReadonlyMap<string, number>>();

/** Where an entry stands: of a hundred thousand it is not looked for one by one. */
function placeOf(items: readonly JobItem[], transaction: string): number {
  let known = places.get(items);
  if (!known) {
    known = new Map(items.map((entry, index) => [entry.transaction, index]));
    places.set(items, known);
  }
  return known.get(transaction) ?? -1;
}

const followed = new Set<string>();

/** Waits for what goes on on the server. */
async function follow(context: Surroundings, action: Action, job: Job, jobs: JobStore) {
  if (followed.has(job.id)) return;
  followed.add(job.id);
  const open = () => job.items.filter(({ state }) => state === 'task');
  for (let wait = firstLook; open().length > 0; wait = Math.min(wait * 1.5, seldomLook)) {
    await pause(wait);
    // Dismissed, or taken up by another page.
    if (!jobs.isOwn(job)) break;
    for (const entry of open()) {
      const change = await looked(context, action, job, entry);
      if (change) setItem(job, jobs, entry, change);
    }
    jobs.changed(job);
  }
  followed.delete(job.id);
  end(context, job, jobs);
}

/** What became of a task; undefined while that isn't known. */
async function looked(
  context: Surroundings,
  action: Action,
  job: Job,
  { item, task = '' }: JobItem,
): Promise<Partial<JobItem> | undefined> {
  const failed = (sentence: string, error = ''): Partial<JobItem> => {
    settle(context, job, item, { outcome: 'failed', detail: error || sentence });
    return { state: 'failed', failure: { code: 'refused', sentence, values: { error } } };
  };
  try {
    const progress = await action.progress?.(context.server, task);
    if (!progress || progress.state === 'active') return undefined;
    if (progress.state === 'failed') {
      return failed(/*i18n*/ 'The server gave it up: {error}', progress.error);
    }
    const left = Object.keys(progress.failures).length;
    settle(context, job, item, { outcome: 'done', ...(left > 0 && { detail: `${left} could not be` }) });
    return { state: 'done', ...(left > 0 && { left: progress.failures }) };
  } catch (error) {
    // Whatever else it is may pass: the server goes on with it in any case.
    if (!(error instanceof NotFound)) return undefined;
    return failed(/*i18n*/ 'The server no longer knows what became of it.');
  }
}

/** Looks again at what goes on on the server for a job that another page began. */
export function followAgain(context: Surroundings, job: Job) {
  const jobs = jobsOf(context.server.id);
  const action = actionById(job.action);
  if (action) void follow(context, action, takeAgain(context, job), jobs);
}

function halt(job: Job, jobs: JobStore, why: Failure) {
  if (job.state !== 'running') return;
  job.state = 'stopped';
  job.why = why;
  jobs.changed(job);
}

/** By the kind of what was acted on, the lists that may show it. */
const lists: Partial<Record<Kind, string>> = {
  user: 'users',
  room: 'rooms',
  media: 'media',
  filed: 'filed-reports',
  destination: 'destinations',
  server: 'media',
};

/** Nothing more is begun: lists are read again, once, and not for each of thousands. */
function end({ server, queryClient }: Surroundings, job: Job, jobs: JobStore) {
  const shown = new Set(job.items.map(({ item }) => lists[item.kind]));
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, resource] }) => of === server.id && shown.has(resource as string),
  });
  if (job.items.length > mostLogged) {
    logAll(server, job);
    jobs.changed(job);
  }
  const remains = job.items.some(({ state }) => state === 'waiting' || state === 'running');
  // After a retry of what failed the others remain as they did.
  if (remains && job.state !== 'running') return;
  job.state = remains ? 'stopped' : 'ended';
  jobs.changed(job);
}

/** The log's words are the same for everyone. */
const count = (value: number) => value.toLocaleString('en');

/** One entry for all: the first of them stands for the others. */
function logAll(server: Server, job: Job) {
  const [first] = job.items;
  const subject = first && subjectOf(first.item);
  if (!subject) return;
  const { done, failed, task } = countsOf(job);
  const { action, answers, direction, logged = 0 } = job;
  // What was logged when it was stopped isn't done again by going on.
  const added = done + task - logged;
  if (added <= 0 && failed === 0) return;
  job.logged = done + task;
  teamOf(server)
    .snapshot()
    .record({
      action,
      subject,
      reports: [],
      ...(answers.reason !== '' && { reason: answers.reason }),
      outcome: direction === 'undo' ? 'undone' : added > 0 ? 'done' : 'failed',
      ...(added > 0 && { count: added }),
      detail: `one of ${count(job.items.length)}: ${count(done + task)} done, ${count(failed)} failed`,
    });
}

/** Into the team's log, onto the reports that it was done about, and out of what was loaded of it before. */
function settle(
  { server, queryClient }: Surroundings,
  { action, answers, items }: Job,
  item: Item,
  what: { outcome: 'done' | 'failed' | 'undone'; detail?: string },
) {
  const reason = answers.reason === '' ? {} : { reason: answers.reason };
  const subject = subjectOf(item);
  const team = teamOf(server).snapshot();
  const reports = (answers.fields[markReviewed] && item.reports) || [];
  const isReviewed = (id: number) => team.marks.get(id)?.state === 'reviewed';
  if (what.outcome === 'done')
    team.mark(
      reports.filter((id) => !isReviewed(id)),
      'reviewed',
    );
  if (what.outcome === 'undone') team.mark(reports.filter(isReviewed), 'open');
  // What is gone waits for nobody, and is nobody's to count.
  if (item.kind === 'filed' && what.outcome === 'done') {
    const of = `${item.of}_report` as const;
    if (team.marksOf[of].has(item.reportId)) team.mark([item.reportId], 'open', of);
  }
  if (subject && items.length <= mostLogged) {
    team.record({ action, subject, reports: item.reports ?? [], ...reason, ...what });
  }
  refresh(queryClient, server.id, item, actionById(action)?.changes);
}

const isLostConnection = (error: unknown) =>
  error instanceof ConnectionFailure &&
  ['unreachable', 'timeout', 'bad_credentials', 'no_such_connection', 'cancelled'].includes(error.code);

const pause = (milliseconds: number) =>
  milliseconds > 0 ? new Promise<void>((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();
