import type { Kysely } from 'kysely';
import type { Log } from '../core/log.ts';
import type { Schema } from './schema.ts';

/** The right of one process to serve some data. */
export type Claim = {
  /**
   * Keeps an eye on the claim from now on. While it is lost nothing is read or written; it is taken again where
   * nobody else has it, and `whenLost` is called once where somebody has.
   */
  guard(db: Kysely<Schema>, log: Log, whenLost: (reason: string) => void): void;
  /** Gives the claim up. */
  release(): Promise<void>;
};
