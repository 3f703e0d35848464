/** The source of time. Tests use one that they advance. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic time in milliseconds, for measuring durations. */
  monotonic(): number;
  /** Replaces the database's clock in tests. */
  databaseTime?(): number;
  /** Calls back once, after this many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after this many milliseconds, or when the signal is aborted. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves when the work has ended or after this many milliseconds, without cancelling it. */
export async function waitAtMost(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  work.then(end, end);
  await pause(clock, milliseconds, ended.signal);
}
