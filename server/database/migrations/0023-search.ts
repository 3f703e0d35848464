import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Where texts are found. What they say stands in the events: the index alone is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await sql`create virtual table search_index using fts5(
      words, room, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
    )`.execute(db);
    await sql`create trigger forget_searched_words after delete on events begin
      delete from search_index where rowid = old.stream_ordering;
    end`.execute(db);
  } else {
    await db.schema
      .createTable('search_index')
      .addColumn('place', 'bigint', (column) =>
        column.primaryKey().references('events.stream_ordering').onDelete('cascade'),
      )
      .addColumn('room_id', 'text', (column) => column.notNull())
      .addColumn('words', sql`tsvector`, (column) => column.notNull())
      .execute();
    await sql`create index search_index_words on search_index using gin (words)`.execute(db);
    await db.schema
      .createIndex('search_index_room')
      .on('search_index')
      .columns(['room_id', 'place'])
      .execute();
  }
  await sql`insert into background_updates (name, ordering, progress)
    select 'populate_search', 3, '{}' where exists (select 1 from events)`.execute(db);
}
