import { sql } from 'kysely';
import { isPostgres } from './engine.ts';
import type { Tx } from './transaction.ts';

/** What is locked, each by a number that PostgreSQL knows it by. */
const locks = {
  /** Which content is quarantined: shared by who asks, whole for who changes it. */
  quarantinedContent: 0x6d65_6401,
  /** The end of the list of quarantine changes. */
  quarantineChanges: 0x6d65_6402,
  /** How many addresses wait for their uploads. */
  pendingUploads: 0x6d65_6403,
  /** The piece of a background update that is being done. */
  backgroundUpdate: 0x6d65_6404,
  /** The piece of the index of texts that is being made. */
  searchIndex: 0x6d65_6405,
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
  if (!isPostgres(tx)) return;
  const key = sql.lit(locks[name]);
  await (mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx);
}

/** Takes a lock as `lockUntilCommit` does, if nobody else has it; false where somebody has. */
export async function tryLockUntilCommit(tx: Tx, name: keyof typeof locks): Promise<boolean> {
  if (!isPostgres(tx)) return true;
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(locks[name])}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}
