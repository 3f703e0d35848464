import type { Kysely } from 'kysely';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import type { Schema } from './schema.ts';

/** The right of a process to serve some data: alone on SQLite, as one of several on PostgreSQL. */
export type Claim = {
  /**
   * Makes sure that all processes which serve the data sign with the same key.
   *
   * @param publicKey tells one key from another
   * @throws ConfigurationError where another one signs with another
   */
  agreeOnKey(publicKey: string): Promise<void>;
  /**
   * Keeps an eye on the claim from now on, and carries the notifier's messages where there may be other processes.
   * While the claim is lost nothing is read or written; it is taken again where that can be, and `whenLost` is called
   * once where it can't.
   */
  guard(db: Kysely<Schema>, watch: Watch): void;
  /** The server begins to stop: a database that doesn't answer any more is not waited for from now on. */
  hurry(): void;
  /** Gives the claim up. */
  release(): Promise<void>;
};

export type Watch = { log: Log; notifier: Notifier; whenLost: (reason: string) => void };
