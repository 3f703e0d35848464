import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** The words of people's names, in the order of their characters: those that begin alike stand together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const words = db.schema
    .createTable('user_words')
    .addColumn('word', isSqlite ? 'text' : sql`text collate "C"`, (column) => column.notNull())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('user_words_pkey', ['word', 'user_id']);
  await (isSqlite ? words.modifyEnd(sql`without rowid`) : words).execute();
  await db.schema.createIndex('user_words_user').on('user_words').column('user_id').execute();
  await sql`insert into background_updates (name, ordering, progress)
    select 'populate_user_words', 4, '{}' where exists (select 1 from users)`.execute(db);
}
