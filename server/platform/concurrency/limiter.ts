/** Concurrency limiter: round-robin between keys, first in, first out within one. */

export type LimiterOptions = {
  /** Maximum number of running tasks, in total and per key; unlimited by default. */
  total?: number | undefined;
  perKey?: number | undefined;
  /** Maximum queue length, in total and per key; unlimited by default. */
  queued?: number | undefined;
  queuedPerKey?: number | undefined;
};

export type Limiter = {
  /**
   * Runs the work when there is capacity for its key.
   *
   * If the whole queue is full, the newest entry of the key with the most entries makes way for a key with fewer.
   *
   * @param signal removes the work from the queue; `AbortSignal.timeout` limits the wait
   * @throws QueueFull if the queue is full; the signal's reason; errors of the work
   */
  run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Rejects all queued entries. */
  rejectQueued(error: unknown): void;
};

export class QueueFull extends Error {}

type Waiter = { start(): void; reject(error: unknown): void };

export function createLimiter({
  total = Number.POSITIVE_INFINITY,
  perKey = Number.POSITIVE_INFINITY,
  queued = Number.POSITIVE_INFINITY,
  queuedPerKey = Number.POSITIVE_INFINITY,
}: LimiterOptions): Limiter {
  const runningByKey = new Map<string, number>();
  let running = 0;
  /** By key, the key whose turn is next first. */
  const queue = new Map<string, Set<Waiter>>();
  let waiting = 0;

  const hasCapacity = (key: string) => running < total && (runningByKey.get(key) ?? 0) < perKey;

  function acquire(key: string): void {
    running++;
    runningByKey.set(key, (runningByKey.get(key) ?? 0) + 1);
  }

  function release(key: string): void {
    running--;
    const left = (runningByKey.get(key) ?? 0) - 1;
    if (left > 0) runningByKey.set(key, left);
    else runningByKey.delete(key);
    startWaiting();
  }

  function startWaiting(): void {
    for (const [key, waiters] of queue) {
      if (running >= total) return;
      const [next] = waiters;
      if (!next || !hasCapacity(key)) continue;
      acquire(key);
      next.start();
      // The next turn of this key comes after those of all others, also in this loop.
      if (queue.delete(key)) queue.set(key, waiters);
    }
  }

  function enqueue(key: string, signal: AbortSignal | undefined): Promise<void> {
    if ((queue.get(key)?.size ?? 0) >= queuedPerKey) throw new QueueFull();
    if (waiting >= queued) evictFor(key);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      signal?.removeEventListener('abort', abort);
      waiters.delete(waiter);
      if (waiters.size === 0) queue.delete(key);
      waiting--;
    };
    const waiter: Waiter = {
      start() {
        leave();
        resolve();
      },
      reject(error) {
        leave();
        reject(error);
      },
    };
    const abort = () => waiter.reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    const waiters = queue.get(key) ?? new Set();
    queue.set(key, waiters.add(waiter));
    waiting++;
    return promise;
  }

  /** @throws QueueFull if no other key has more entries */
  function evictFor(key: string): void {
    let longest: Set<Waiter> | undefined;
    let size = (queue.get(key)?.size ?? 0) + 1;
    for (const waiters of queue.values()) {
      if (waiters.size <= size) continue;
      longest = waiters;
      size = waiters.size;
    }
    const newest = longest && [...longest].at(-1);
    if (!newest) throw new QueueFull();
    newest.reject(new QueueFull());
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted();
      if (hasCapacity(key)) acquire(key);
      else await enqueue(key, signal);
      try {
        return await work();
      } finally {
        release(key);
      }
    },
    rejectQueued(error) {
      for (const waiter of [...queue.values()].flatMap((waiters) => [...waiters])) waiter.reject(error);
    },
  };
}
