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
