import { PostgresAdapter, sql } from 'kysely';
import type { Tx } from './transaction.ts';

/** What is locked, each by a number that PostgreSQL knows it by. */
const locks = {
  /** Which content is quarantined: shared by who asks, whole for who changes it. */
  quarantinedContent: 0x6d65_6401,
  /** The end of the list of quarantine changes. */
  quarantineChanges: 0x6d65_6402,
  /** How many addresses wait for their uploads. */
  pendingUploads: 0x6d65_6403,
} as const;

/**
 * Takes a lock and holds it until the transaction ends. On SQLite there is nothing to do: who is in a transaction
 * there is alone in it.
 *
 * @param mode several transactions may share a lock while none has it as a whole
 */
export async function lockUntilCommit(
  tx: Tx,
  name: keyof typeof locks,
  mode: 'shared' | 'whole' = 'whole',
): Promise<void> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) return;
  const key = sql.lit(locks[name]);
  await (mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx);
}
