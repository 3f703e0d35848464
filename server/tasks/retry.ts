/** Doing again what failed for a reason that passes. */
import { type Clock, pause } from '../core/clock.ts';
import { DatabaseFault } from '../database/fault.ts';

/** After how many failures in a row to give up: about a minute later, with the pauses in between. */
const maximumAttempts = 6;
/** The pause after the first failure, in milliseconds; each further one is four times as long. */
const firstPause = 250;
const longestPause = 30_000;

/**
 * Does something until it succeeds, with growing pauses, where the database could not for now: others were in
 * the way for too long, it was out of reach, or it had no room. `prepare` comes before each further attempt.
 */
export type Patience = <Result>(
  work: () => Promise<Result>,
  prepare?: () => Promise<void>,
) => Promise<Result>;

/** Patience that ends when the signal is aborted: what fails then is not tried again. */
export function createPatience(clock: Clock, signal: AbortSignal): Patience {
  return async (work, prepare) => {
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) await prepare?.();
        return await work();
      } catch (error) {
        if (attempt === maximumAttempts || signal.aborted || !(error instanceof DatabaseFault)) throw error;
      }
      await pause(clock, Math.min(longestPause, firstPause * 4 ** (attempt - 1)), signal);
    }
  };
}
