/** Where the time comes from. Tests bring one that they move by hand. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls back once, this many milliseconds from now; the function that it gives cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
