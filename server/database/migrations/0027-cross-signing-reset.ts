import type { Kysely } from 'kysely';

/** Until when a user may replace the master key without the password, as an administrator has allowed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('cross_signing_keys').addColumn('free_until_ts', 'bigint').execute();
}
