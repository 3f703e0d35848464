/**
 * Totals of reports that are all deleted while somebody else counted there, who may yet be undone: a deletion doesn't
 * wait for them. They are forgotten when that is decided, within half a minute, for no transaction may do nothing for
 * longer; where this process ends before that, with the next deletion of a report like those.
 */
import { type Clock, pause } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';

export type HeldTotals = {
  /** @param work forgets them; throws `contended` where somebody still counts there */
  forget(work: (tx: Tx) => Promise<void>): void;
  stop(): Promise<void>;
};

/** How often it is tried, and the pause between, in milliseconds. Each time it is tried for some seconds. */
const attempts = 30;
const between = 1_000;

export function createHeldTotals({ db, clock, log }: { db: Database; clock: Clock; log: Log }): HeldTotals {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function tryUntilDone(work: (tx: Tx) => Promise<void>): Promise<void> {
    for (let attempt = 1; !stopping.signal.aborted; attempt++) {
      try {
        return await inTransaction(db, work);
      } catch (err) {
        if (attempt === attempts)
          return log.warn({ err }, "reports: couldn't remove totals of deleted reports:");
      }
      await pause(clock, between, stopping.signal);
    }
  }

  return {
    forget(work) {
      const trying = tryUntilDone(work).finally(() => underWay.delete(trying));
      underWay.add(trying);
    },
    async stop() {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}
