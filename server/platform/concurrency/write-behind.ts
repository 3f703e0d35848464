/** Saves changes in the background, in batches, with retries after database faults. No request waits for them. */
import { type Clock, waitAtMost } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { DatabaseFault } from '../database/fault.ts';
import { yieldToEventLoop } from './yield.ts';

/** Batch size: small enough not to block other work. */
const batchSize = 50;
/** In milliseconds. */
const retryDelay = 10_000;
/** How long a read waits for pending changes, in milliseconds. */
const patience = 1_000;
/** Maximum number of pending changes while the database is unavailable. */
const maximumPending = 20_000;

export type WriteBehind<Change extends object> = {
  /** Adds to the pending change of a key; newer values win. Returns false if too many changes are pending. */
  put(key: string, change: Change): boolean;
  /** Saves all pending changes. @throws DatabaseFault */
  flush(): Promise<void>;
  /** Does the same for a read that can do without: gives up after a second, and doesn't throw. */
  settle(): Promise<void>;
  /** Settles, and stops retrying. */
  stop(): Promise<void>;
};

/**
 * @param failure log line, such as `presence: couldn't save changes`
 * @param save must be idempotent: after a fault it gets the same changes again
 * @param delay how long changes are gathered, in milliseconds
 */
export function createWriteBehind<Change extends object>(
  { clock, log }: { clock: Clock; log: Log },
  failure: string,
  save: (changes: Change[]) => Promise<void>,
  delay = 0,
): WriteBehind<Change> {
  const pending = new Map<string, Change>();
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let hasFailed = false;
  let isStopped = false;

  const flushLater = () => void flush().catch(() => {});

  function flushIn(milliseconds: number): void {
    if (!isStopped) cancelTimer ??= clock.after(milliseconds, flushLater);
  }

  async function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    if (pending.size > 0) writing ??= saveAll();
    await writing;
  }

  async function saveAll(): Promise<void> {
    try {
      while (pending.size > 0) {
        await saveBatch([...pending].slice(0, batchSize));
        await yieldToEventLoop();
      }
    } finally {
      writing = undefined;
      if (pending.size > 0) flushIn(retryDelay);
    }
  }

  async function saveBatch(batch: [key: string, change: Change][]): Promise<void> {
    try {
      await save(batch.map(([, change]) => change));
      hasFailed = false;
    } catch (err) {
      const isFault = err instanceof DatabaseFault;
      // A change that can never be saved must not hold up the others.
      if (!isFault && batch.length > 1) {
        for (const entry of batch) await saveBatch([entry]);
        return;
      }
      // Once until saving works again.
      if (!hasFailed) log.error({ err }, `${failure}, ${isFault ? 'retrying' : 'dropping one'}:`);
      hasFailed = true;
      if (isFault) throw err;
    }
    for (const [key, change] of batch) if (pending.get(key) === change) pending.delete(key);
  }

  const settle = () => waitAtMost(clock, patience, flush());

  return {
    put(key, change) {
      const before = pending.get(key);
      if (!before && pending.size >= maximumPending) return false;
      pending.set(key, { ...before, ...change });
      if (delay > 0) flushIn(delay);
      // Unless a retry is due.
      else if (!cancelTimer) flushLater();
      return true;
    },
    flush,
    settle,
    async stop() {
      isStopped = true;
      await settle();
      cancelTimer?.();
    },
  };
}
