import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Among the locks that programs agree on: its second half is the place after which a transaction adds events. */
const addingEvents = sql.lit(0x6761_7468);

/**
 * PostgreSQL numbers events when they are added, and shows them when their transaction is through: in between, others
 * with higher numbers may be seen. So each transaction holds a lock that says after which number its own begin, taken
 * before the first is given, and the events that nothing can come before any more end where the lowest of these is.
 * Nobody ever waits for such a lock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One process alone writes to a SQLite file, one transaction after the other.
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`
    create function mark_added_events() returns trigger language plpgsql as $$
    declare
      place bigint;
    begin
      -- Once for each transaction: what it adds later comes later.
      if coalesce(current_setting('gatehouse.adds_events', true), '') = '' then
        select case when is_called then last_value else last_value - 1 end into place
          from events_stream_ordering_seq;
        perform pg_advisory_xact_lock_shared(${addingEvents}, place::bit(32)::integer);
        perform set_config('gatehouse.adds_events', 'yes', true);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger mark_added_events before insert on events
    for each statement execute function mark_added_events()`.execute(db);
  await sql`
    create function settled_event_place() returns bigint language plpgsql as $$
    declare
      newest bigint;
      lowest bigint;
    begin
      -- In this order: whoever marks a place after the first statement adds nothing up to the newest.
      select case when is_called then last_value else last_value - 1 end into newest
        from events_stream_ordering_seq;
      -- A lock has room for the lower half of a number.
      select min(newest - behind) into lowest
        from (
          select (newest - objid::bigint) & 4294967295 as behind from pg_locks
          where locktype = 'advisory' and classid = ${addingEvents} and objsubid = 2
            and database = (select oid from pg_database where datname = current_database())
        ) as marks
        where behind < 2147483648;
      return least(newest, coalesce(lowest, newest));
    end $$`.execute(db);
}
