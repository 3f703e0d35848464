import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

declare const transactional: unique symbol;

/** A transaction that is under way. Whatever must happen in one takes this, and only `inTransaction` makes it. */
export type Tx = Transaction<Schema> & { readonly [transactional]: true };

/** Runs `work` in a transaction: what it did is kept when it returns, and undone when it throws. */
export function inTransaction<Result>(
  db: Kysely<Schema>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute((transaction) => work(transaction as Tx));
}
