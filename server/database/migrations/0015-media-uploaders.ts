import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** As many who begin to upload at the same time needn't wait for each other. */
const parts = 16;

/**
 * Who has uploaded the most, or the least, is the first page of an index, and how many have uploaded something is the sum of a few
 * counts. Triggers keep those, because an older process may still run that knows nothing of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['media_count', 'media_length']) {
    // Those who are alike in it stand by their names in either direction. The plus keeps SQLite from reading by the
    // count where the order is another one.
    for (const direction of ['asc', 'desc']) {
      await sql`create index ${sql.ref(`media_totals_${column}_${direction}`)}
        on media_totals (${sql.ref(column)} ${sql.raw(direction)}, user_id) where +media_count > 0`.execute(
        db,
      );
    }
  }
  await db.schema
    .createTable('media_uploaders')
    .addColumn('part', 'integer', (column) => column.primaryKey())
    // One part may have counted what another has taken away.
    .addColumn('total', 'bigint', (column) => column.notNull())
    .execute();
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (let part = 0; part < (isSqlite ? 1 : parts); part++) {
    await sql`insert into media_uploaders (part, total)
      select ${sql.lit(part)}, count(*) from media_totals where media_count > 0 and ${sql.lit(part)} = 0`.execute(
      db,
    );
  }
  await (isSqlite ? countOnSqlite(db) : countOnPostgres(db));
}

async function countOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger count_new_media_uploaders after insert on media_totals when new.media_count > 0 begin
      update media_uploaders set total = total + 1;
    end`.execute(db);
  await sql`
    create trigger count_media_uploaders after update of media_count on media_totals
    when (old.media_count > 0) <> (new.media_count > 0) begin
      update media_uploaders set total = total + (new.media_count > 0) - (old.media_count > 0);
    end`.execute(db);
}

/** When all else of a transaction is done, so that nobody who has a part waits for anything but the commit. */
async function countOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_media_uploaders() returns trigger language plpgsql as $$
    begin
      update media_uploaders
        set total = total + (new.media_count > 0)::integer
          - case when tg_op = 'UPDATE' then (old.media_count > 0)::integer else 0 end
        where part = pg_backend_pid() % ${sql.lit(parts)};
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger count_new_media_uploaders after insert on media_totals
    deferrable initially deferred for each row when (new.media_count > 0)
    execute function count_media_uploaders()`.execute(db);
  await sql`
    create constraint trigger count_media_uploaders after update on media_totals
    deferrable initially deferred for each row when ((old.media_count > 0) <> (new.media_count > 0))
    execute function count_media_uploaders()`.execute(db);
}
