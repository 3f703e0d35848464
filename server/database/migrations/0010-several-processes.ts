import { type Kysely, sql } from 'kysely';

/**
 * Which process is at a task: a lease that ends unless it is extended, and a number that every claim raises, so that
 * who has lost one commits nothing more. What people are on the way with, which any process may be asked about next.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['lease_number', 'lease_until'] as const) {
    await db.schema
      .alterTable('scheduled_tasks')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }

  await db.schema
    .createTable('interactive_sessions')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('expires_ts', 'bigint', (column) => column.notNull())
    .addColumn('completed', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('registration_token', 'text')
    .addColumn('used_ts', 'bigint')
    .execute();
  await sql`create index interactive_sessions_token on interactive_sessions (registration_token)
    where registration_token is not null`.execute(db);
  await db.schema
    .createIndex('interactive_sessions_expiry')
    .on('interactive_sessions')
    .column('expires_ts')
    .execute();

  await db.schema
    .createTable('used_nonces')
    .addColumn('nonce', 'text', (column) => column.primaryKey())
    .addColumn('expires_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('used_nonces_expiry').on('used_nonces').column('expires_ts').execute();
}
