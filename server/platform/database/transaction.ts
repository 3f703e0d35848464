/** The one way to change several things together. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { controlOf } from './control.ts';
import { BelongsToNothing, DatabaseFault } from './fault.ts';
import type { Schema } from './schema.ts';

declare const made: unique symbol;

/** What is to be done when a transaction is through. */
const following = new WeakMap<Tx, (() => void)[]>();

/** A transaction that `inTransaction` runs: what takes one changes several things together or none. */
export type Tx = Transaction<Schema> & { readonly [made]: true };

/** How long work is done again that loses races, in milliseconds. */
const patience = 5_000;
const firstPause = 10;
const longestPause = 400;
/** How often work runs that adds to what is not there: whoever looks for that finds it gone the second time. */
const runsWithNothing = 3;

/**
 * Runs work in one transaction. Where the engine says that it lost a race (a deadlock, a conflict, a lock that
 * didn't come free), or that what it adds to is not there any more, everything is undone and the work runs again after a
 * pause, without holding a connection meanwhile: it has to read again what it decides by, and to leave everything
 * outside of the database alone.
 *
 * @throws DatabaseFault `contended` where the race is lost for too long, and the other faults of a database;
 *   BelongsToNothing where it goes on adding to what is not there
 */
export async function inTransaction<Result>(
  db: Kysely<Schema> & { readonly [made]?: never },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { transactions, transact } = controlOf(db);
  const end = performance.now() + patience;
  let withNothing = 0;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const leave = await transactions.acquire();
    let own: Tx | undefined;
    const workIn = (transaction: Transaction<Schema>) => {
      own = transaction as Tx;
      return work(own);
    };
    try {
      const result = await (transact ? transact(workIn) : db.transaction().execute(workIn));
      if (own) runWhatFollows(own);
      return result;
    } catch (error) {
      const lostRace =
        error instanceof BelongsToNothing
          ? ++withNothing < runsWithNothing
          : error instanceof DatabaseFault && error.kind === 'contended';
      if (!lostRace || performance.now() + pause > end) throw error;
    } finally {
      leave();
    }
    // Those who met once would meet again if they waited equally long.
    await wait(pause * (0.5 + Math.random()));
  }
}

/**
 * Does something once a transaction is through, and never where it isn't: such as waking those who wait for what it
 * wrote. It is done in a later turn of the event loop, after whoever ran the transaction has gone on: a reply that
 * says no more than that it is done leaves before that.
 */
export function afterCommit(tx: Tx, callback: () => void): void {
  const callbacks = following.get(tx);
  if (callbacks) callbacks.push(callback);
  else following.set(tx, [callback]);
}

function runWhatFollows(tx: Tx): void {
  const callbacks = following.get(tx);
  if (!callbacks) return;
  setImmediate(() => {
    for (const callback of callbacks) callback();
  });
}
