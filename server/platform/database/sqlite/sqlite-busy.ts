/** Busy handling for SQLite: retries while another process has locked the file, without blocking the event loop. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { DatabaseFault } from '../fault.ts';
import { isBusy } from './sqlite-fault.ts';

/** How long a statement waits for another process, in milliseconds. */
const busyTimeout = 10_000;
/** How long all of them wait in total once the server is shutting down. */
const shortTimeout = 1_500;
/** Two busy errors at most this far apart belong to one lock, in milliseconds. */
const sameLock = 1_000;
/** Longest pause between two retries, in milliseconds. */
const busyPause = 5;
/** Pause between two checks once statements fail at once, in milliseconds. */
const watchPause = 20;

/**
 * Runs one statement as soon as no other process blocks it.
 *
 * @throws DatabaseFault `held` if one blocks it for too long; errors of the statement
 */
export type BusyRetry = <Result>(statement: () => Result) => Promise<Result>;

/** A period during which another process has the file locked; times by the monotonic clock. */
type Lock = {
  since: number;
  /** Time of the last busy error. */
  seen: number;
  /** Number of statements that have failed. */
  failed: number;
};

/** Reads and writes are locked independently of each other. */
type Access = {
  name: 'reads' | 'writes';
  /** Throws a busy error while another process has the file locked; changes nothing. */
  tryIt(): void;
};

type BusyRetryOptions = {
  file: string;
  /** False inside a transaction, which has the lock already. */
  mayWait(): boolean;
  tryReading(): void;
  tryWriting(): void;
};

export function createBusyRetry({ file, mayWait, tryReading, tryWriting }: BusyRetryOptions): {
  reading: BusyRetry;
  writing: BusyRetry;
  /** Shortens the wait: the server is shutting down. */
  hurry(): void;
  /** Logs from now on when the file is locked and when it is unlocked again. */
  logLocks(log: Log): void;
  /** Stops watching the file. */
  end(): void;
} {
  let hurriedAt = Number.POSITIVE_INFINITY;
  let log: Log | undefined;
  let ended = false;

  function createOne({ name, tryIt }: Access): BusyRetry {
    let lock: Lock | undefined;

    /** Statements share one wait: otherwise each queued statement would start its own. */
    function lockAt(now: number): Lock {
      const isSame = lock && (lock.failed > 0 || now < lock.seen + sameLock || lock.seen > hurriedAt);
      if (!lock || !isSame) lock = { since: now, seen: now, failed: 0 };
      lock.seen = now;
      return lock;
    }

    const isTooLong = ({ since, seen }: Lock) =>
      seen > since + busyTimeout || seen > Math.max(hurriedAt, since) + shortTimeout;

    const secondsSince = ({ since }: Lock) => Math.round((performance.now() - since) / 1000);

    /** Statements fail at once until the file is found unlocked. */
    async function watch(watched: Lock): Promise<void> {
      log?.error(
        `database: another program has locked ${file} for ${secondsSince(watched)} s: ${name} fail until it releases the lock`,
      );
      do await wait(watchPause, undefined, { ref: false });
      while (!ended && lock === watched && isStillLocked());
    }

    function isStillLocked(): boolean {
      try {
        tryIt();
      } catch (error) {
        if (isBusy(error)) return true;
      }
      noteUnlocked();
      return false;
    }

    function noteUnlocked(): void {
      if (lock && lock.failed > 0) {
        const seconds = secondsSince(lock);
        log?.warn(
          `database: ${file} is unlocked again after ${seconds} s; ${lock.failed} ${name} failed in the meantime`,
        );
      }
      lock = undefined;
    }

    return async (statement) => {
      for (;;) {
        try {
          const result = statement();
          if (lock) noteUnlocked();
          return result;
        } catch (error) {
          if (!isBusy(error) || !mayWait()) throw error;
          const met = lockAt(performance.now());
          if (met.failed > 0 || isTooLong(met)) {
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
    logLocks(to) {
      log = to;
    },
    end() {
      ended = true;
    },
  };
}
