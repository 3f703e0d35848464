/** Token buckets in PostgreSQL, shared by all processes of a database. */
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { databaseTime } from '../database/query/expressions.ts';
import type { Schema } from '../database/schema.ts';
import { digestOf, type TokenBuckets, tolerance } from './rate-limiter.ts';

/** How often full buckets are deleted, in milliseconds. */
const sweepInterval = 600_000;
/** How many to delete at once, which a request waits for. */
const sweepSize = 10_000;

/**
 * Uses the database's time, which is the same for all processes. If it is set back, a bucket is at worst empty. If the
 * database fails, `take` throws.
 */
export function bucketsInPostgres(
  db: Kysely<Schema>,
  clock: Pick<Clock, 'now' | 'monotonic' | 'databaseTime'>,
): TokenBuckets {
  let sweptAt = clock.monotonic();

  const now = () => databaseTime(db, clock);

  async function sweep(): Promise<void> {
    if (clock.monotonic() - sweptAt < sweepInterval) return;
    sweptAt = clock.monotonic();
    await sql`
      delete from token_buckets where key in (
        select key from token_buckets where full_at <= ${now()} limit ${sweepSize} for update skip locked
      )`.execute(db);
  }

  /** Returns how long until a bucket has enough tokens. Corrects a time that is too late because the clock was set back. */
  async function waitFor(key: string, cost: number, capacity: number): Promise<number> {
    const { rows } = await sql<{ wait: number }>`
      with clock as (select ${now()} as now)
      update token_buckets set full_at = least(full_at, now + ${capacity})
      from clock where key = ${key}
      returning full_at - now + ${cost} - ${capacity} as wait`.execute(db);
    return rows[0]?.wait ?? 0;
  }

  return {
    async take(name, cost, capacity) {
      await sweep();
      const key = digestOf(name);
      // `excluded.full_at - cost` is the time of this statement.
      const { rows } = await sql`
        insert into token_buckets as bucket (key, full_at) values (${key}, ${now()} + ${cost})
        on conflict (key) do update set full_at = greatest(
          excluded.full_at,
          least(bucket.full_at + ${cost}, excluded.full_at + ${capacity})
        )
        where least(bucket.full_at + ${cost} - excluded.full_at, ${capacity}) + ${cost} - ${capacity} < ${tolerance}
        returning key`.execute(db);
      if (rows.length > 0) return 0;
      return Math.max(1, Math.round(await waitFor(key, cost, capacity)));
    },
    async giveBack(name, cost) {
      await sql`update token_buckets set full_at = full_at - ${cost} where key = ${digestOf(name)}`.execute(
        db,
      );
    },
  };
}
