/** What can be done to an open database as a whole, whichever engine it is. */
import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../core/log.ts';
import type { Gate } from './gate.ts';
import type { Schema } from './schema.ts';
import type { Topic } from './table-changes.ts';

export type DatabaseControl = {
  /** Holds transactions back, so that single statements always find a connection. */
  transactions: Gate;
  /** Runs work in a transaction in a shorter way than Kysely's, where there is one. */
  transact?: <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>;
  /** Ends what is under way and lets nothing begin. */
  suspend(): void;
  resume(): void;
  /** Ends what is under way for good: what begins later fails at once. Left out where nothing is ever waited for. */
  giveUp?: () => void;
  /** The server begins to stop: who holds the database is not waited for much longer. Left out where `giveUp` is called. */
  hurry?: () => void;
  /**
   * Says from now on when another program holds the database, and when it no longer does: once, whatever fails by it.
   * Left out where none can.
   */
  sayHolds?: (log: Log) => void;
  /**
   * A number that is another one when something of a topic may have been changed since, by whichever process; it is
   * so before a change is acknowledged. Undefined where only the database itself can tell.
   */
  version?: (topic: Topic) => number;
};

const controls = new WeakMap<Kysely<Schema>, DatabaseControl>();

/** Told by each engine of the databases that it opens. */
export const setControl = (db: Kysely<Schema>, control: DatabaseControl) => controls.set(db, control);

export function controlOf(db: Kysely<Schema>): DatabaseControl {
  const control = controls.get(db);
  if (!control) throw new Error('this database was not opened here');
  return control;
}
