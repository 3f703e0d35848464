/** Writing what nobody waits for, a batch at a time in the order in which it came; of one key the newest counts. */
import type { Log } from '../core/log.ts';

/** As many as are written without holding other work up. */
const batchSize = 100;
/** While the database takes nothing, so many wait for it; more are dropped. */
const maximumPending = 20_000;

export type WriteBehind<Change> = {
  put(key: string, change: Change): void;
  /** Waits until what was put so far is written, or could not be. */
  settle(): Promise<void>;
};

/** @param write one batch; what it throws is logged, and the batch is lost */
export function createWriteBehind<Change>(
  log: Log,
  what: string,
  write: (batch: [key: string, change: Change][]) => Promise<void>,
): WriteBehind<Change> {
  const pending = new Map<string, Change>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (pending.size > 0) {
      const batch = [...pending].slice(0, batchSize);
      for (const [key] of batch) pending.delete(key);
      try {
        await write(batch);
      } catch (err) {
        log.warn({ err }, `${what}: couldn't save changes:`);
      }
    }
    writing = undefined;
  }

  return {
    put(key, change) {
      if (pending.size >= maximumPending && !pending.has(key)) return;
      // The last of its key, at the end of the line.
      pending.delete(key);
      pending.set(key, change);
      writing ??= Promise.resolve().then(writeAll);
    },
    settle: async () => writing,
  };
}
