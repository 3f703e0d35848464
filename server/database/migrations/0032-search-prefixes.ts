import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Beginnings of words stand in the index of texts themselves: what begins like a word that all messages hold is read
 * from the newest on, and not gathered first. The index is filled again beside the running server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`drop table search_index`.execute(db);
  await sql`create virtual table search_index using fts5(
    words, room, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0',
    detail='column', prefix='1 2 3 4 5 6 7 8 9 10 11 12'
  )`.execute(db);
  await sql`delete from server_facts where name = 'search_index_place'`.execute(db);
  await sql`insert into background_updates (name, ordering, progress)
    select 'populate_search', 3, '{}' where exists (select 1 from events)
    on conflict do nothing`.execute(db);
}
