import { sql } from 'kysely';
import { isPostgres } from '../database/engine.ts';
import type { Tx } from '../database/transaction.ts';

/** Keys of advisory locks. */
const locks = {
  /** The quarantined content: shared by readers, exclusive for changes. */
  quarantinedContent: 0x6d65_6401,
  /** The end of the list of quarantine changes. */
  quarantineChanges: 0x6d65_6402,
  /** The number of pending uploads. */
  pendingUploads: 0x6d65_6403,
  /** The current piece of a background update. */
  backgroundUpdate: 0x6d65_6404,
  /** The current piece of the search index. */
  searchIndex: 0x6d65_6405,
} as const;

/** Takes a lock until the transaction ends. On SQLite the transaction has locked everything already. */
export async function lockUntilCommit(
  tx: Tx,
  name: keyof typeof locks,
  mode: 'shared' | 'exclusive' = 'exclusive',
): Promise<void> {
  if (!isPostgres(tx)) return;
  const key = sql.lit(locks[name]);
  await (mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx);
}

/** Takes a lock until the transaction ends, or returns false if another one has it. */
export async function tryLockUntilCommit(tx: Tx, name: keyof typeof locks): Promise<boolean> {
  if (!isPostgres(tx)) return true;
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(locks[name])}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}
