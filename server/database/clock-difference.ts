/** Machines whose clocks differ, told of before somebody wonders why sessions end early. */
import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { databaseTime } from './database-time.ts';
import type { Database } from './schema.ts';

/** What nobody notices, in milliseconds; the time that the question takes is part of it. */
const tolerable = 5_000;

/**
 * Warns where this machine's clock and the database's are far apart. Leases and limits go by the database's alone,
 * wherever that stands; sessions, tokens and the times that people see go by the clock of whoever is asked.
 */
export async function warnOfClockDifference(db: Database, clock: Clock, log: Log): Promise<void> {
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`select ${databaseTime(db, clock)} as now`.execute(db);
  const middle = (before + clock.now()) / 2;
  const ahead = middle - Number(rows[0]?.now ?? middle);
  if (Math.abs(ahead) <= tolerable) return;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const side = ahead > 0 ? 'ahead of' : 'behind';
  log.warn(
    `The clock of this machine is ${seconds} s ${side} the database's: sessions and tokens end by it. Set both by NTP.`,
  );
}
