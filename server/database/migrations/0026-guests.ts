import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('is_guest', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // The list of users is ordered by it, or has none of them.
  await db.schema.createIndex('users_by_is_guest').on('users').columns(['is_guest', 'user_id']).execute();
}
