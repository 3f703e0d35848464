/** Waits for other processes that hold a SQLite file, without stopping this one. */
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseFault } from './fault.ts';
import { isBusy } from './sqlite-fault.ts';

/** How long a statement waits for another process that is writing, in milliseconds. */
const busyTimeout = 10_000;
/** And all of them together while the server stops. */
const shortTimeout = 1_500;
/** What was held such a while ago and is again has been held all the while, in milliseconds. */
const stillHeld = 1_000;
/** The longest pause between two looks at whether that is through, in milliseconds. */
const busyPause = 5;

/**
 * Runs one statement, as soon as no other process holds what it needs.
 *
 * @throws DatabaseFault `held` where one goes on holding it; whatever else the statement throws
 */
export type Waiting = <Result>(statement: () => Result) => Promise<Result>;

/**
 * @param mayWait whether waiting helps: whoever has begun a transaction holds the lock, so only what stands alone or
 *   begins ever waits
 */
export function createWaiting(mayWait: () => boolean): {
  /** What reads and what writes may be held apart from each other. */
  reading: Waiting;
  writing: Waiting;
  /** Waits no longer for a process that goes on than it takes most of them. */
  hurry(): void;
} {
  let hurriedAt = Number.POSITIVE_INFINITY;

  function createOne(): Waiting {
    /** Since when another process holds it, and when that was seen last. */
    let held: { since: number; seen: number } | undefined;

    /** Those who stand in line have waited as well: each would wait anew to learn the same. */
    const isHeldOn = (now: number) => {
      const isSame = held && (now < held.seen + stillHeld || held.seen > hurriedAt);
      held = { since: held && isSame ? held.since : now, seen: now };
      const { since } = held;
      // Nobody tries again what the server has no time for any more.
      return now > since + busyTimeout || now > Math.max(hurriedAt, since) + shortTimeout;
    };

    return async (statement) => {
      for (;;) {
        try {
          const result = statement();
          held = undefined;
          return result;
        } catch (error) {
          if (!isBusy(error) || !mayWait()) throw error;
          if (isHeldOn(performance.now())) throw new DatabaseFault('held', error);
        }
        await wait(busyPause * Math.random());
      }
    };
  }

  return {
    reading: createOne(),
    writing: createOne(),
    hurry() {
      hurriedAt = performance.now();
    },
  };
}
