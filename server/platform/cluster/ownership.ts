/** Ownership and claims of processes that serve the same data. */
import type { Kysely } from 'kysely';
import type { Notifier } from '../concurrency/notifier.ts';
import type { Log } from '../core/log.ts';
import type { Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

export type Ownership = {
  /** Returns undefined while this process or another owns the name, and while the database is unavailable. */
  tryOwn(name: string): Promise<Owned | undefined>;
};

/** A name that one process owns until it releases it, dies or loses its connection. */
export type Owned = {
  /** Aborted with an OwnershipLost. */
  readonly lost: AbortSignal;
  /** Keeps a transaction from committing after another process may have taken over. @throws OwnershipLost */
  require(tx: Tx): Promise<void>;
  release(): Promise<void>;
};

export class OwnershipLost extends Error {
  constructor(name: string) {
    super(`lost ${name}: another process may have taken over`);
  }
}

/** Grants everything: a SQLite file has one process. */
export const soleOwner: Ownership = {
  tryOwn: async () => ({
    lost: new AbortController().signal,
    require: async () => {},
    release: async () => {},
  }),
};

/** The right of a process to serve some data: alone on SQLite, as one of several on PostgreSQL. */
export type Claim = Ownership & {
  /**
   * Ensures that all processes that serve the data sign with the same key.
   *
   * @param publicKey identifies the key
   * @throws ConfigurationError if another process uses a different key
   */
  agreeOnKey(publicKey: string): Promise<void>;
  /**
   * Watches the claim from now on, and carries the notifier's messages between processes. While the claim is lost,
   * nothing is read or written. It is reacquired if possible; otherwise `whenLost` is called once.
   */
  guard(db: Kysely<Schema>, watch: Watch): void;
  /** The server begins to shut down: from now on nothing waits for a database that doesn't respond. */
  hurry(): void;
  /** Releases the claim. */
  release(): Promise<void>;
};

export type Watch = { log: Log; notifier: Notifier; whenLost: (reason: string) => void };
