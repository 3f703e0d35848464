/** Transactions with retries. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { controlOf } from './control.ts';
import { DatabaseFault, ForeignKeyViolation } from './fault.ts';
import type { Schema } from './schema.ts';

declare const made: unique symbol;

/** Callbacks to run after a commit. */
const callbacksOf = new WeakMap<Tx, (() => void)[]>();

/** A transaction of `inTransaction`. */
export type Tx = Transaction<Schema> & { readonly [made]: true };

/** How long to retry after conflicts, in milliseconds. */
const retryTime = 5_000;
const firstPause = 10;
const longestPause = 400;
/** Attempts for a missing referenced row: the second one usually finds it gone. */
const foreignKeyAttempts = 3;

/**
 * Runs work in one transaction. After a deadlock, a conflict, a lock timeout or a missing referenced row, rolls back
 * and runs the work again after a pause, during which it holds no connection. So the work must read all data that its
 * decisions depend on, and must not have effects outside the database.
 *
 * @throws DatabaseFault, `contended` if conflicts last too long
 * @throws ForeignKeyViolation if the referenced row is still missing
 */
export async function inTransaction<Result>(
  db: Kysely<Schema> & { readonly [made]?: never },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { transactions, transact } = controlOf(db);
  const end = performance.now() + retryTime;
  let violations = 0;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const leave = await transactions.acquire();
    let own: Tx | undefined;
    const runWork = (transaction: Transaction<Schema>) => {
      own = transaction as Tx;
      return work(own);
    };
    try {
      const result = await (transact ? transact(runWork) : db.transaction().execute(runWork));
      if (own) runCallbacks(own);
      return result;
    } catch (error) {
      const mayRetry =
        error instanceof ForeignKeyViolation
          ? ++violations < foreignKeyAttempts
          : error instanceof DatabaseFault && error.kind === 'contended';
      if (!mayRetry || performance.now() + pause > end) throw error;
    } finally {
      leave();
    }
    // Jitter, so that conflicting transactions don't meet again.
    await wait(pause * (0.5 + Math.random()));
  }
}

/**
 * Calls back after the commit, such as to wake long polls, and never after a rollback. Runs in a later turn of the event
 * loop, so that the caller's reply is sent first.
 */
export function afterCommit(tx: Tx, callback: () => void): void {
  const callbacks = callbacksOf.get(tx);
  if (callbacks) callbacks.push(callback);
  else callbacksOf.set(tx, [callback]);
}

function runCallbacks(tx: Tx): void {
  const callbacks = callbacksOf.get(tx);
  if (!callbacks) return;
  setImmediate(() => {
    for (const callback of callbacks) callback();
  });
}
