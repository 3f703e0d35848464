/** Waits for other processes that hold a SQLite file, without stopping this one. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
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
/** And the pause where nobody waits for it any more. */
const watchPause = 20;

/**
 * Runs one statement, as soon as no other process holds what it needs.
 *
 * @throws DatabaseFault `held` where one goes on holding it; whatever else the statement throws
 */
export type Waiting = <Result>(statement: () => Result) => Promise<Result>;

/** A time for which another process holds what is needed; times by the monotonic clock. */
type Hold = {
  since: number;
  /** When that was seen last. */
  seen: number;
  /** How many statements have failed by it. */
  failed: number;
};

/** What is done with the file: to read and to write may be held apart from each other. */
type Use = {
  /** As the log calls it. */
  name: 'reads' | 'writes';
  /** Fails as a statement would where another process holds it, and changes nothing. */
  tryIt(): void;
};

export type WaitingOptions = {
  /** The database's. */
  file: string;
  /**
   * Whether waiting helps: whoever has begun a transaction holds the lock, so only what stands alone or begins ever
   * waits.
   */
  mayWait(): boolean;
  tryReading(): void;
  tryWriting(): void;
};

export function createWaiting({ file, mayWait, tryReading, tryWriting }: WaitingOptions): {
  reading: Waiting;
  writing: Waiting;
  /** Waits no longer for a process that goes on than it takes most of them. */
  hurry(): void;
  /** Says from now on, once for all that fail by it, that the file is held, and that it no longer is. */
  sayTo(log: Log): void;
  /** Looks at the file no more. */
  end(): void;
} {
  let hurriedAt = Number.POSITIVE_INFINITY;
  let log: Log | undefined;
  let ended = false;

  function createOne({ name, tryIt }: Use): Waiting {
    let hold: Hold | undefined;

    /** Those who stand in line have waited as well: each would wait anew to learn the same. */
    function holdAt(now: number): Hold {
      const isSame = hold && (hold.failed > 0 || now < hold.seen + stillHeld || hold.seen > hurriedAt);
      if (!hold || !isSame) hold = { since: now, seen: now, failed: 0 };
      hold.seen = now;
      return hold;
    }

    // Nobody tries again what the server has no time for any more.
    const isForLong = ({ since, seen }: Hold) =>
      seen > since + busyTimeout || seen > Math.max(hurriedAt, since) + shortTimeout;

    const secondsSince = ({ since }: Hold) => Math.round((performance.now() - since) / 1000);

    /** Until it is free again: whoever comes meanwhile is told at once what others have waited for in vain. */
    async function watch(watched: Hold): Promise<void> {
      log?.error(
        `database: another program has locked ${file} for ${secondsSince(watched)} s: ${name} fail until it releases the lock`,
      );
      do await wait(watchPause, undefined, { ref: false });
      while (!ended && hold === watched && isStillHeld());
    }

    function isStillHeld(): boolean {
      try {
        tryIt();
      } catch (error) {
        if (isBusy(error)) return true;
      }
      noteFree();
      return false;
    }

    function noteFree(): void {
      if (hold && hold.failed > 0) {
        const seconds = secondsSince(hold);
        log?.warn(
          `database: ${file} is unlocked again after ${seconds} s; ${hold.failed} ${name} failed in the meantime`,
        );
      }
      hold = undefined;
    }

    return async (statement) => {
      for (;;) {
        try {
          const result = statement();
          if (hold) noteFree();
          return result;
        } catch (error) {
          if (!isBusy(error) || !mayWait()) throw error;
          const met = holdAt(performance.now());
          if (met.failed > 0 || isForLong(met)) {
            met.failed++;
            if (met.failed === 1) void watch(met);
            throw new DatabaseFault('held', error);
          }
        }
        await wait(busyPause * Math.random());
      }
    };
  }

  return {
    reading: createOne({ name: 'reads', tryIt: tryReading }),
    writing: createOne({ name: 'writes', tryIt: tryWriting }),
    hurry() {
      hurriedAt = performance.now();
    },
    sayTo(to) {
      log = to;
    },
    end() {
      ended = true;
    },
  };
}
