/** Where the time comes from. Tests bring one that they move by hand. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some moment, which no correction of the time touches: for measuring how long. */
  monotonic(): number;
  /** What stands for the time of the database, which has a clock of its own; only tests bring one. */
  databaseTime?(): number;
  /** Calls back once, this many milliseconds from now; the function that it gives cancels that. */
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

/** Waits for so long, in milliseconds, or until the signal is aborted. */
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

/** Waits until work has ended, and no longer than so many milliseconds. The work goes on. */
export async function waitAtMost(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  work.then(end, end);
  await pause(clock, milliseconds, ended.signal);
}
