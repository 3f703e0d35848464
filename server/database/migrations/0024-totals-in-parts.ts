import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** What each total is counted by. */
const totals = {
  user_totals: ['admin', 'deactivated', 'locked', 'user_type'],
  room_totals: ['is_public', 'is_empty'],
  user_report_totals: ['target_user_id', 'user_id'],
} as const;
const texts: ReadonlySet<string> = new Set(['user_type', 'target_user_id', 'user_id']);

/** Among the locks that programs agree on: its second half is the part of all totals that a transaction counts in. */
const countingIn = sql.lit(0x6761_746c);
const parts = sql.lit(16);

/**
 * Those who register, make rooms or report at the same time don't wait for each other: each total is the sum of several
 * parts, and a transaction counts in one that nobody else counts in until it ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(totals)) await inParts(db, name, columns);
  // One process alone writes to a SQLite file, one transaction after the other.
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`
    create function part_of_totals() returns integer language plpgsql as $$
    declare
      part integer := nullif(current_setting('gatehouse.part_of_totals', true), '')::integer;
      first integer := floor(random() * ${parts})::integer;
    begin
      -- Once for each transaction: it would have them all in the end.
      if part is not null then
        return part;
      end if;
      part := first;
      -- Where others have them all, it waits for one of those.
      for following in first .. first + ${parts} - 1 loop
        if pg_try_advisory_xact_lock(${countingIn}, following % ${parts}) then
          part := following % ${parts};
          exit;
        end if;
      end loop;
      perform set_config('gatehouse.part_of_totals', part::text, true);
      return part;
    end $$`.execute(db);
}

async function inParts(db: Kysely<unknown>, name: string, columns: readonly string[]): Promise<void> {
  await db.schema.alterTable(name).renameTo(`${name}_before`).execute();
  let table = db.schema.createTable(name);
  for (const column of columns) {
    table = table.addColumn(column, texts.has(column) ? 'text' : 'integer', (each) => each.notNull());
  }
  await table
    .addColumn('part', 'integer', (column) => column.notNull())
    // One part may have counted what another has taken away.
    .addColumn('total', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_parts`, [...columns, 'part'] as 'part'[])
    .execute();
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(name)} (${names}, part, total)
    select ${names}, 0, total from ${sql.table(`${name}_before`)}`.execute(db);
  await db.schema.dropTable(`${name}_before`).execute();
}
