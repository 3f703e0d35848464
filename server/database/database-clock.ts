/** One time for all processes of a database, whatever the clocks of their machines say. */
import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { databaseTime } from './database-time.ts';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/** How often the database is asked what time it is, in milliseconds. */
const interval = 10_000;
/** What nobody notices, in milliseconds. */
const tolerable = 100;
/** What somebody should see to, in milliseconds. */
const large = 5_000;

export type DatabaseClock = {
  /**
   * The machine's, put right by the database's: what one process lets end at a time ends then for all. From when on it
   * follows, it goes by what passes, so that it stays right where somebody sets the machine's.
   */
  clock: Clock;
  /** Asks the database once. A SQLite file has one process and its clock. */
  follow(db: Database): Promise<void>;
  /** Goes on asking. */
  start(): void;
  stop(): void;
};

/** @param own the machine's */
export function createDatabaseClock(own: Clock, log: Log): DatabaseClock {
  /** The database's time when the monotonic one began. */
  let beginning: number | undefined;
  /** By how much the machine's was last found to be ahead, in milliseconds. */
  let ahead = 0;
  let followed: Database | undefined;
  let isGoingOn = false;
  let cancel = () => {};

  async function measure(db: Database): Promise<void> {
    const before = own.monotonic();
    const { rows } = await sql<{ now: number }>`select ${databaseTime(db, own)} as now`.execute(db);
    const after = own.monotonic();
    const machine = own.now();
    const measured = Number(rows[0]?.now ?? machine) - (before + after) / 2;
    // The answer may be of any moment between.
    const doubt = tolerable + (after - before) / 2;
    const isNews = (found: number, known: number) => Math.abs(found - known) > doubt;
    const machines = machine - after;
    if (isNews(measured, beginning ?? machines)) beginning = measured;
    else beginning ??= machines;
    if (!isNews(machines - measured, ahead)) return;
    ahead = machines - measured;
    if (Math.abs(ahead) <= large) return;
    const side = ahead > 0 ? 'ahead of' : 'behind';
    log.warn(
      `clock: this computer is ${Math.round(Math.abs(ahead) / 1000)} s ${side} the database server: using the database server's time; synchronize both with NTP`,
    );
  }

  function goOn(): void {
    if (!isGoingOn || !followed) return;
    const db = followed;
    cancel = own.after(interval, () => {
      // While the database is away, the difference is what it was.
      measure(db)
        .catch(() => {})
        .then(goOn);
    });
  }

  return {
    clock: {
      ...own,
      now: () => (beginning === undefined ? own.now() : Math.round(beginning + own.monotonic())),
    },
    async follow(db) {
      if (!isPostgres(db)) return;
      await measure(db);
      followed = db;
    },
    start() {
      isGoingOn = true;
      goOn();
    },
    stop() {
      isGoingOn = false;
      cancel();
    },
  };
}
