/**
 * Whose thumbnails are made next. Everyone who asks has a turn after the other, however much one of them asks
 * for; and only so many pixels are decoded at once.
 */
import { MatrixError } from '../core/matrix-error.ts';

/** One picture of any size at a time, and beside it one that has no more than so many pixels. */
const lanes: readonly { maximumPixels: number }[] = [
  { maximumPixels: 4_000_000 },
  { maximumPixels: Number.POSITIVE_INFINITY },
];
/** How many pictures may wait for one who asks. */
const maximumWaiting = 100;
/** How many may wait for all together. */
const maximumJobs = 1000;

export type Asker = {
  /** A user, or the network of who has not signed in. */
  name: string;
  /** Aborted when the asker has gone away. */
  signal: AbortSignal;
};

type Work = {
  /** How many pixels are decoded for it, or infinity where nobody knows yet. */
  pixels: number;
  run(): Promise<void>;
};

export type ThumbnailQueue = {
  /**
   * Waits until the work on a picture is done. Who asks for the same picture meanwhile waits for the same work;
   * what nobody waits for any more is not begun.
   *
   * @throws MatrixError 429 where too much waits, or the server is stopping; what the work throws
   */
  wait(picture: string, work: Work, asker: Asker): Promise<void>;
  /** Refuses what waits. */
  stop(): void;
};

type Job = Work & {
  started: boolean;
  /** How many requests of each asker wait for it. */
  askers: Map<string, number>;
  outcome: PromiseWithResolvers<void>;
};

export function createThumbnailQueue(): ThumbnailQueue {
  const jobs = new Map<string, Job>();
  /** By asker, whose turn comes first standing first. */
  const waiting = new Map<string, Set<Job>>();
  const taken = new Set<(typeof lanes)[number]>();
  let stopped = false;

  function join(picture: string, work: Work, name: string): Job {
    const known = jobs.get(picture);
    const own = waiting.get(name) ?? new Set();
    if (!known && jobs.size >= maximumJobs) throw busy();
    if (!known?.started && own.size >= maximumWaiting && !(known && own.has(known))) throw busy();
    const job = known ?? { ...work, started: false, askers: new Map(), outcome: Promise.withResolvers() };
    if (!known) {
      jobs.set(picture, job);
      const forget = () => jobs.delete(picture);
      job.outcome.promise.then(forget, forget);
    }
    if (!job.started) waiting.set(name, own.add(job));
    job.askers.set(name, (job.askers.get(name) ?? 0) + 1);
    return job;
  }

  function leave(job: Job, name: string): void {
    const left = (job.askers.get(name) ?? 0) - 1;
    if (left > 0) {
      job.askers.set(name, left);
      return;
    }
    job.askers.delete(name);
    dequeue(job, name);
    if (job.askers.size === 0 && !job.started) job.outcome.reject(busy());
  }

  function dequeue(job: Job, name: string): void {
    const own = waiting.get(name);
    own?.delete(job);
    if (own?.size === 0) waiting.delete(name);
  }

  function takeNext(maximumPixels: number): Job | undefined {
    for (const [name, own] of waiting) {
      const job = [...own].find(({ pixels }) => pixels <= maximumPixels);
      if (!job) continue;
      // Whoever had a turn stands behind everyone else.
      waiting.delete(name);
      waiting.set(name, own);
      for (const asker of job.askers.keys()) dequeue(job, asker);
      return job;
    }
    return undefined;
  }

  function start(): void {
    for (const lane of lanes) {
      const job = taken.has(lane) ? undefined : takeNext(lane.maximumPixels);
      if (!job) continue;
      job.started = true;
      taken.add(lane);
      job
        .run()
        .then(job.outcome.resolve, job.outcome.reject)
        .finally(() => {
          taken.delete(lane);
          start();
        });
    }
  }

  return {
    async wait(picture, work, { name, signal }) {
      if (stopped || signal.aborted) throw busy();
      const job = join(picture, work, name);
      const gone = Promise.withResolvers<never>();
      const give = () => gone.reject(busy());
      signal.addEventListener('abort', give);
      start();
      try {
        await Promise.race([job.outcome.promise, gone.promise]);
      } finally {
        signal.removeEventListener('abort', give);
        leave(job, name);
      }
    },
    stop() {
      stopped = true;
      const refused = new Set([...waiting.values()].flatMap((own) => [...own]));
      waiting.clear();
      for (const { outcome } of refused) outcome.reject(busy());
    },
  };
}

export const busy = () =>
  new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many thumbnails are being generated', {
    retry_after_ms: 5000,
  });
