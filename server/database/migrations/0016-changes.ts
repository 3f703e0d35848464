import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Among the locks that programs agree on: its second half is the place after which a transaction adds events. */
const addingEvents = sql.lit(0x6761_7468);
/** The same for changes. */
const makingChanges = sql.lit(0x6761_746b);

/**
 * One order for all that a client is shown and that is no event: account data, receipts, messages to devices and so
 * on each bear the number of their last change. As with events, PostgreSQL gives numbers before a transaction is
 * through: who takes one holds a lock that says after which number its own begin, and nobody waits for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    // One process alone writes to a SQLite file, one transaction after the other.
    await db.schema
      .createTable('change_place')
      .addColumn('place', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into change_place (place) values (0)`.execute(db);
    return;
  }
  await sql`create sequence changes`.execute(db);
  await sql`
    create function next_change() returns bigint language plpgsql as $$
    declare
      place bigint;
    begin
      -- Once for each transaction: what it changes later comes later.
      if coalesce(current_setting('gatehouse.makes_changes', true), '') = '' then
        select case when is_called then last_value else last_value - 1 end into place from changes;
        perform pg_advisory_xact_lock_shared(${makingChanges}, place::bit(32)::integer);
        perform set_config('gatehouse.makes_changes', 'yes', true);
      end if;
      return nextval('changes');
    end $$`.execute(db);
  await sql`
    create function settled_places(out event bigint, out change bigint, out newest_event bigint, out newest_change bigint) language plpgsql as $$
    begin
      -- In this order: whoever marks a place after the first statements adds nothing up to the newest.
      select case when is_called then last_value else last_value - 1 end into newest_event
        from events_stream_ordering_seq;
      select case when is_called then last_value else last_value - 1 end into newest_change
        from changes;
      -- A lock has room for the lower half of a number.
      select
          coalesce(min(newest_event - behind) filter (where kind = ${addingEvents}), newest_event),
          coalesce(min(newest_change - behind) filter (where kind = ${makingChanges}), newest_change)
        into event, change
        from (
          select classid::bigint as kind,
            ((case when classid = ${addingEvents} then newest_event else newest_change end)
              - objid::bigint) & 4294967295 as behind
          from pg_locks
          where locktype = 'advisory' and classid in (${addingEvents}, ${makingChanges}) and objsubid = 2
            and database = (select oid from pg_database where datname = current_database())
        ) as marks
        where behind < 2147483648;
      event := least(newest_event, event);
      change := least(newest_change, change);
    end $$`.execute(db);
}
