/**
 * What one process of all that share a database does: it has a duty for a while and says so again for as long as it
 * lives; once the time is over, any other may take it.
 */
import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { databaseTime } from './database-time.ts';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/** Takes a duty, or keeps it; false where another process has it. */
export async function holdDuty(
  { db, clock }: { db: Database; clock: Clock },
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  // A SQLite file has one process.
  if (!isPostgres(db)) return true;
  const now = databaseTime(db, clock);
  const until = sql<number>`cast(${now} + ${sql.lit(milliseconds)} as bigint)`;
  const row = await db
    .insertInto('duties')
    .values({ name, holder, until_ts: until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until_ts: until })
        .where((eb) => eb.or([eb('duties.holder', '=', holder), eb('duties.until_ts', '<', now)])),
    )
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a duty go, so that another process needn't wait for its time to be over. */
export async function leaveDuty(db: Database, name: string, holder: string): Promise<void> {
  await db.deleteFrom('duties').where('name', '=', name).where('holder', '=', holder).execute();
}
