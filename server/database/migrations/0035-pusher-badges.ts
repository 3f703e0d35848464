import type { Kysely } from 'kysely';

/** Whose phones show a badge is known after a restart, too: they are told when nothing is unread any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('pushers')
    .addColumn('badged', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
