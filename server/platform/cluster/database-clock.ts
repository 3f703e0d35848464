/** One clock for all processes of a database, independent of the clocks of their computers. */
import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { isPostgres } from '../database/engine.ts';
import { databaseTime } from '../database/query/expressions.ts';
import type { Database } from '../database/schema.ts';

/** How often the database's time is read, in milliseconds. */
const interval = 10_000;
/** Smaller differences are ignored, in milliseconds. */
const tolerance = 100;
/** Larger differences are logged, in milliseconds. */
const large = 5_000;

export type DatabaseClock = {
  /** Shows the database's time. Between two reads it is monotonic: setting the computer's clock doesn't move it. */
  clock: Clock;
  /** Reads the database's time once; on SQLite, the computer's clock is used. */
  follow(db: Database): Promise<void>;
  /** Reads it regularly. */
  start(): void;
  stop(): void;
};

/** @param own the computer's clock */
export function createDatabaseClock(own: Clock, log: Log): DatabaseClock {
  /** The database's time at zero of the monotonic clock. */
  let origin: number | undefined;
  /** Last known difference by which the computer's clock is ahead, in milliseconds. */
  let ahead = 0;
  let followed: Database | undefined;
  let isStopped = false;
  let cancel = () => {};

  async function measure(db: Database): Promise<void> {
    const before = own.monotonic();
    const { rows } = await sql<{ now: number }>`select ${databaseTime(db, own)} as now`.execute(db);
    const after = own.monotonic();
    const measured = Number(rows[0]?.now) - (before + after) / 2;
    // The database may have read its clock at any moment in between.
    const doubt = tolerance + (after - before) / 2;
    const differ = (one: number, other: number) => Math.abs(one - other) > doubt;
    const ownOrigin = own.now() - after;
    if (differ(measured, origin ?? ownOrigin)) origin = measured;
    else origin ??= ownOrigin;
    if (!differ(ownOrigin - measured, ahead)) return;
    ahead = ownOrigin - measured;
    if (Math.abs(ahead) <= large) return;
    const side = ahead > 0 ? 'ahead of' : 'behind';
    log.warn(
      `clock: this computer is ${Math.round(Math.abs(ahead) / 1000)} s ${side} the database server: using the database server's time; synchronize both with NTP`,
    );
  }

  function measureRegularly(db: Database): void {
    // While the database is away, the last difference is used.
    const again = () => {
      if (!isStopped) measureRegularly(db);
    };
    cancel = own.after(interval, () => void measure(db).then(again, again));
  }

  return {
    clock: {
      ...own,
      now: () => (origin === undefined ? own.now() : Math.round(origin + own.monotonic())),
    },
    async follow(db) {
      if (!isPostgres(db)) return;
      await measure(db);
      followed = db;
    },
    start() {
      if (followed) measureRegularly(followed);
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
