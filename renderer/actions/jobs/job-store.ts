import { Type } from 'typebox';
import type { Server } from '../../transport/server.ts';
import { type Failure, isOwnDoing, Job, type JobItem } from './job.ts';

/** A name that nothing else has. Pages that came over plain http have no `crypto.randomUUID`. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const writesEvery = 300;
const showsEvery = 60;
const beatsEvery = 20_000;
/** Pages in the background may be let run once a minute only. */
const deadAfter = 90_000;

const interrupted: Failure = {
  code: 'cancelled',
  sentence:
    /*i18n*/ 'Interrupted: page closed or reloaded. Pending requests may have succeeded; repeating is safe.',
  values: {},
};

/** A browser's storage does not hold more entries of one job. */
const mostKept = 2_000;
const mostUndone = 20;

export type JobStore = ReturnType<typeof openJobs>;

export const jobsOf = (server: Server): JobStore => server.state(openJobs);

/** The jobs of a server: this page's, and those that other pages run or left behind. */
function openJobs({ id: serverId, kept: values }: Server) {
  const kept = values.open(`gatehouse.actions.${serverId}`, Type.Array(Job), []);
  /** What this tab did and no longer lists, for undoing it after a reload. */
  const done = values.open(`gatehouse.undo.actions.${serverId}`, Type.Array(Job), [], 'session');
  const doneBefore = [...done.read()];
  const page = newId();
  /** Changed in place by those who run them; shown and kept as they were at a moment. */
  const own = new Map<string, Job>();
  /** Those that someone watches elsewhere on the screen. */
  const aside = new Set<string>();
  /** Those that end with the page: they are shown once, or too large to be kept. */
  const unkept = new Set<string>();
  const listeners = new Set<() => void>();
  let shown: readonly Job[] | undefined;
  let showing: ReturnType<typeof setTimeout> | undefined;
  let writing: ReturnType<typeof setTimeout> | undefined;

  function show() {
    clearTimeout(showing);
    showing = undefined;
    shown = undefined;
    for (const listener of listeners) listener();
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

  // A job that isn't kept would be lost halfway.
  const onUnload = (event: Event) => {
    const isUnfinished = [...own.values()].some(
      ({ id, state, items }) => state !== 'ended' && unkept.has(id) && items.length > 1,
    );
    if (isUnfinished) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);

  const isDead = (job: Job) =>
    !own.has(job.id) && job.state === 'running' && Date.now() - job.beat > deadAfter;

  return {
    close() {
      clearInterval(beating);
      clearTimeout(showing);
      clearTimeout(writing);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('beforeunload', onUnload);
    },
    turns: new WeakMap<Job, Turn>(),
    isRunning: () => [...own.values()].some(({ state }) => state === 'running'),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot(): readonly Job[] {
      shown ??= [...kept.read().filter(({ id }) => !own.has(id)), ...[...own.values()].map(copyOf)]
        .filter(({ id }) => !aside.has(id))
        .map((job) => (isDead(job) ? { ...job, state: 'stopped' as const, why: interrupted } : job));
      return shown;
    },
    /** A job that this page runs from now on; the object is changed by whoever runs it. */
    take(job: Job, { isKept = true } = {}): Job {
      if (!isKept || job.items.length > mostKept) unkept.add(job.id);
      // One that is taken again stays the same object: someone may still be following it.
      const mine = Object.assign(own.get(job.id) ?? {}, job, { page, beat: Date.now() });
      if (job.why === undefined) delete mine.why;
      own.set(mine.id, mine);
      forgetDone(mine.id);
      write();
      show();
      return mine;
    },
    /** Something of an own job is another than it was. */
    changed(job: Job) {
      job.beat = Date.now();
      showing ??= setTimeout(show, showsEvery);
      writing ??= setTimeout(write, writesEvery);
    },
    /** The page goes away in the middle of it: as it is now it is found, and nobody runs it any more. */
    leave(job: Job) {
      job.beat = 0;
      write();
    },
    /** Keeps a job out of the list for as long as its panel shows it. */
    setAside(id: string, isAside: boolean) {
      if (isAside) aside.add(id);
      else aside.delete(id);
      show();
    },
    /** Whether it is found again when this page is gone. */
    isKept: ({ id }: Job) => !unkept.has(id),
    isOwn: (job: Job) => own.has(job.id),
    own: (id: string) => own.get(id),
    /** Takes a redacted event off the lists of those that can still be read. */
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
    /** What this tab did before it was reloaded; empty from the second call on. */
    takeDoneBefore: () => doneBefore.splice(0),
    remove(id: string) {
      const job = own.get(id);
      const isDone = job?.direction === 'do' && job.items.some(isOwnDoing);
      if (isDone && !unkept.has(id)) done.write([...done.read(), copyOf(job)].slice(-mostUndone));
      own.delete(id);
      aside.delete(id);
      kept.write(kept.read().filter((job) => job.id !== id));
      show();
    },
  };
}

const copyOf = (job: Job): Job => ({ ...job, items: [...job.items] });

// Whose turn a job is: what was stopped and still waits for its last replies begins nothing more.

export type Turn = {
  /** Only these of what waits, by their transactions. */
  only: ReadonlySet<string> | undefined;
  /** The transactions whose replies are still to come. */
  onTheirWay: Set<string>;
  /** Whether something of what waits is being done. */
  isAtWork: boolean;
  /** What went on beside it ends, at the latest when somebody else's turn begins. */
  leave?: ((isOver: boolean) => void) | undefined;
};

export function beginTurn({ turns }: JobStore, job: Job, only: Turn['only']): Turn {
  const before = turns.get(job);
  const turn = { only, onTheirWay: new Set<string>(), isAtWork: true };
  turns.set(job, turn);
  endTurn(before, false);
  return turn;
}

/** @param isOver whether nobody goes on with it */
export function endTurn(turn: Turn | undefined, isOver: boolean) {
  if (!turn) return;
  const { leave } = turn;
  turn.isAtWork = false;
  turn.leave = undefined;
  leave?.(isOver);
}

export const turnOf = ({ turns }: JobStore, job: Job): Turn | undefined => turns.get(job);

// The entries of a job, each of which changes as its work goes on.

/** One entry is another than it was, which it gives; when it is over, that is now. */
export function setItem(jobs: JobStore, job: Job, entry: JobItem, change: Partial<JobItem>): JobItem {
  const isOver = change.state === 'done' || change.state === 'failed';
  const changed = { ...entry, ...change, ...(isOver && { at: Date.now() }) };
  job.items[placeOf(job.items, entry.transaction)] = changed;
  jobs.changed(job);
  return changed;
}

/** The entry of this transaction as it is now. */
export const itemOf = ({ items }: Job, transaction: string): JobItem | undefined =>
  items[placeOf(items, transaction)];

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

/**
 * Begins nothing more; what is on its way arrives.
 *
 * @param why what is wrong for all of it; nothing where the person stopped it
 */
export function halt(job: Job, jobs: JobStore, why?: Failure) {
  if (job.state !== 'running') return;
  job.state = 'stopped';
  if (why) job.why = why;
  jobs.changed(job);
}
