/** Operations on an open database as a whole, for both engines. */
import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../core/log.ts';
import type { Schema } from './schema.ts';
import type { Semaphore } from './semaphore.ts';

type DatabaseControl = {
  /** Limits concurrent transactions, so that single statements always find a connection. */
  transactions: Semaphore;
  /** Runs work in a transaction with less overhead than Kysely's own. */
  transact?: <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>;
  /** Aborts running statements and refuses new ones. */
  suspend(): void;
  resume(): void;
  /** Permanently aborts running statements and refuses new ones. Undefined if the engine never waits. */
  giveUp?: () => void;
  /** Shortens the wait for other processes: the server is shutting down. Undefined if there is `giveUp`. */
  hurry?: () => void;
  /** Logs from now on when another process locks the database, and when it is unlocked again. */
  logLocks?: (log: Log) => void;
};

const controls = new WeakMap<Kysely<Schema>, DatabaseControl>();

export const setControl = (db: Kysely<Schema>, control: DatabaseControl) => controls.set(db, control);

export function controlOf(db: Kysely<Schema>): DatabaseControl {
  const control = controls.get(db);
  if (!control) throw new Error('this database was not opened here');
  return control;
}
