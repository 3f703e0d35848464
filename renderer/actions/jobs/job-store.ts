import { Type } from 'typebox';
import { newId } from '../../new-id.ts';
import { subscribers } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';
import { type Failure, isOwnChange, Job, type JobItem } from './job.ts';

const writesEvery = 300;
const showsEvery = 60;
const beatsEvery = 20_000;
/** Browsers may wake a background page only once a minute. */
const deadAfter = 90_000;

const interrupted: Failure = {
  code: 'cancelled',
  sentence:
    /*i18n*/ 'Interrupted: page closed or reloaded. Pending requests may have succeeded; repeating is safe.',
  values: {},
};

/** Larger jobs don't fit into localStorage. */
const maxStoredItems = 2_000;
const maxUndoable = 20;

export type JobStore = ReturnType<typeof openJobs>;

export const jobsOf = (server: Server): JobStore => server.state(openJobs);

/** Opens a server's jobs: this page's and those that other pages run or left unfinished. */
function openJobs({ id: serverId, deviceStorage }: Server) {
  const kept = deviceStorage.open(`gatehouse.actions.${serverId}`, Type.Array(Job), []);
  /** Finished jobs that this tab no longer lists; they can be opened, and undone after a reload. */
  const done = deviceStorage.open(`gatehouse.undo.actions.${serverId}`, Type.Array(Job), [], 'session');
  const doneBefore = [...done.read()];
  const page = newId();
  /** This page's jobs: changed in place by their run, copied to show and store them. */
  const own = new Map<string, Job>();
  /** IDs of jobs that a panel shows instead of the tray. */
  const hidden = new Set<string>();
  /** IDs of jobs that end with the page: they show a secret or are too large. */
  const unkept = new Set<string>();
  const { subscribe, notify } = subscribers();
  let shown: readonly Job[] | undefined;
  let showing: ReturnType<typeof setTimeout> | undefined;
  let writing: ReturnType<typeof setTimeout> | undefined;

  function show() {
    clearTimeout(showing);
    showing = undefined;
    shown = undefined;
    notify();
  }

  function write() {
    clearTimeout(writing);
    writing = undefined;
    const before = kept.read();
    const others = before.filter(({ id }) => !own.has(id));
    const mine = [...own.values()].filter(({ id }) => !unkept.has(id)).map(copyOf);
    if (others.length + mine.length + before.length > 0) kept.write([...others, ...mine]);
  }

  const forgetDone = (id: string) => {
    if (done.read().some((job) => job.id === id)) done.write(done.read().filter((job) => job.id !== id));
  };

  kept.subscribe(show);
  const beating = setInterval(() => {
    const running = [...own.values()].filter(({ state }) => state === 'running');
    for (const job of running) job.beat = Date.now();
    if (running.length > 0) write();
  }, beatsEvery);
  const onHide = () => {
    for (const job of own.values()) if (job.state === 'running') job.beat = 0;
    if (own.size > 0) write();
  };
  window.addEventListener('pagehide', onHide);

  // Closing the page would lose a job that isn't stored.
  const onUnload = (event: Event) => {
    const isUnfinished = [...own.values()].some(
      ({ id, state, items }) => state !== 'ended' && unkept.has(id) && items.length > 1,
    );
    if (isUnfinished) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);

  const isDead = (job: Job) =>
    !own.has(job.id) && job.state === 'running' && Date.now() - job.beat > deadAfter;

  function snapshot(): readonly Job[] {
    shown ??= [...kept.read().filter(({ id }) => !own.has(id)), ...[...own.values()].map(copyOf)]
      .filter(({ id }) => !hidden.has(id))
      .map((job) => (isDead(job) ? { ...job, state: 'stopped' as const, why: interrupted } : job));
    return shown;
  }

  return {
    close() {
      clearInterval(beating);
      clearTimeout(showing);
      clearTimeout(writing);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('beforeunload', onUnload);
    },
    runs: new WeakMap<Job, JobRun>(),
    isRunning: () => [...own.values()].some(({ state }) => state === 'running'),
    subscribe,
    snapshot,
    /** Returns a job, also after it left the list. */
    find: (id: string): Job | undefined => [...snapshot(), ...done.read()].find((job) => job.id === id),
    /** Claims a job for this page. Returns the object that its run changes. */
    take(job: Job, { isKept = true } = {}): Job {
      if (!isKept || job.items.length > maxStoredItems) unkept.add(job.id);
      // A job claimed again stays the same object: `followTasks` may hold it.
      const mine = Object.assign(own.get(job.id) ?? {}, job, { page, beat: Date.now() });
      if (job.why === undefined) delete mine.why;
      own.set(mine.id, mine);
      forgetDone(mine.id);
      write();
      show();
      return mine;
    },
    /** Schedules showing and storing a changed job. */
    changed(job: Job) {
      job.beat = Date.now();
      showing ??= setTimeout(show, showsEvery);
      writing ??= setTimeout(write, writesEvery);
    },
    /** Stores a running job as interrupted, so that another page can resume it. */
    release(job: Job) {
      job.beat = 0;
      write();
    },
    /** Hides a job from the tray while its panel is open. */
    setHidden(id: string, isHidden: boolean) {
      if (isHidden) hidden.add(id);
      else hidden.delete(id);
      show();
    },
    /** Whether the job outlives this page. */
    isKept: ({ id }: Job) => !unkept.has(id),
    isOwn: (job: Job) => own.has(job.id),
    own: (id: string) => own.get(id),
    /** Removes a redacted event from the jobs' lists of unredacted events. */
    redacted(eventId: string) {
      const has = ({ unredacted }: JobItem) => unredacted?.some((each) => each.eventId === eventId) === true;
      const without = (entry: JobItem): JobItem =>
        entry.unredacted && has(entry)
          ? { ...entry, unredacted: entry.unredacted.filter((each) => each.eventId !== eventId) }
          : entry;
      for (const job of own.values()) if (job.items.some(has)) job.items = job.items.map(without);
      const before = kept.read();
      if (before.some(({ items }) => items.some(has)))
        kept.write(before.map((job) => ({ ...job, items: job.items.map(without) })));
      show();
    },
    /** Drops all jobs, also those that are running. */
    clear() {
      own.clear();
      kept.write([]);
      show();
    },
    /** Returns this tab's finished jobs from before a reload; empty from the second call on. */
    takeDoneBefore: () => doneBefore.splice(0),
    remove(id: string) {
      const job = own.get(id);
      const isDone = job?.direction === 'do' && job.items.some(isOwnChange);
      // Others have nothing to undo, but a page.
      if (job && (isDone || job.items.length > 1) && !unkept.has(id))
        done.write([...done.read(), copyOf(job)].slice(-maxUndoable));
      own.delete(id);
      hidden.delete(id);
      kept.write(kept.read().filter((job) => job.id !== id));
      show();
    },
  };
}

const copyOf = (job: Job): Job => ({ ...job, items: [...job.items] });

// A job can be resumed or retried while replies to an earlier run are pending: only the latest run starts requests.

export type JobRun = {
  /** The transactions that this run is limited to. */
  only: ReadonlySet<string> | undefined;
  /** The transactions with a pending reply. */
  inFlight: Set<string>;
  isActive: boolean;
  /** Set by the action's `onRun`. Called when the run ends or a newer one begins. */
  onEnd?: ((isOver: boolean) => void) | undefined;
};

export function beginRun({ runs }: JobStore, job: Job, only: JobRun['only']): JobRun {
  const before = runs.get(job);
  const run = { only, inFlight: new Set<string>(), isActive: true };
  runs.set(job, run);
  if (before) endRun(before, false);
  return run;
}

/** @param isOver false if a newer run continues the job */
export function endRun(run: JobRun, isOver: boolean) {
  const { onEnd } = run;
  run.isActive = false;
  run.onEnd = undefined;
  onEnd?.(isOver);
}

export const currentRun = ({ runs }: JobStore, job: Job): JobRun | undefined => runs.get(job);

/** Replaces an item with a changed copy, and returns that. A final state gets the time. */
export function setItem(jobs: JobStore, job: Job, entry: JobItem, change: Partial<JobItem>): JobItem {
  const isOver = change.state === 'done' || change.state === 'failed';
  const changed = { ...entry, ...change, ...(isOver && { at: Date.now() }) };
  job.items[indexOf(job.items, entry.transaction)] = changed;
  jobs.changed(job);
  return changed;
}

/** Returns the current item of a transaction. */
export const itemOf = ({ items }: Job, transaction: string): JobItem | undefined =>
  items[indexOf(items, transaction)];

const indexes = new WeakMap<readonly JobItem[], ReadonlyMap<string, number>>();

/** Looks up an item's index; a job can have 100,000 items. */
function indexOf(items: readonly JobItem[], transaction: string): number {
  let known = indexes.get(items);
  if (!known) {
    known = new Map(items.map((entry, index) => [entry.transaction, index]));
    indexes.set(items, known);
  }
  return known.get(transaction) ?? -1;
}

/**
 * Stops starting items; replies in flight are still handled.
 *
 * @param why left out if the user stopped the job
 */
export function halt(job: Job, jobs: JobStore, why?: Failure) {
  if (job.state !== 'running') return;
  job.state = 'stopped';
  if (why) job.why = why;
  jobs.changed(job);
}
