/** Triggers that tests add to tables, on both engines. */
import { sql } from 'kysely';
import type { Homeserver } from '../../../server/app/homeserver.ts';

/** Runs statements before each insert into a table. Returns a function that removes the trigger. */
export async function beforeInsert(
  { services: { db, config } }: Homeserver,
  table: string,
  statements: { sqlite: string; postgres: string },
): Promise<() => Promise<void>> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  if (config.database.name === 'sqlite3') {
    await run(`create trigger keeping before insert on ${table} begin ${statements.sqlite}; end`);
    return async () => void (await run('drop trigger keeping'));
  }
  await run(
    `create function keeping() returns trigger language plpgsql as $$ begin ${statements.postgres}; return new; end $$`,
  );
  await run(`create trigger keeping before insert on ${table} for each row execute function keeping()`);
  return async () => void (await run('drop function keeping cascade'));
}

/** Makes the database reject inserts into a table, like a full disk. Returns a function that undoes it. */
export async function refuseInserts(homeserver: Homeserver, table: string): Promise<() => Promise<void>> {
  const { db, config } = homeserver.services;
  if (config.database.name === 'sqlite3') {
    await sql`create table filler (bytes blob)`.execute(db);
    // SQLite raises the limit to the number of pages in use.
    await sql`pragma max_page_count = 1`.execute(db);
  }
  return beforeInsert(homeserver, table, {
    sqlite: 'insert into filler values (zeroblob(10000000))',
    postgres: "raise exception 'No space left on device' using errcode = 'disk_full'",
  });
}
