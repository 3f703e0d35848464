/**
 * The claim on a PostgreSQL database: a lock that goes with its connection, and so with this process. The
 * connection is asked again and again whether it is alive; that is also how a server that hangs is noticed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import type { PostgresConfig } from '../config/database.ts';
import type { Log } from '../core/log.ts';
import type { Claim } from './claim-type.ts';
import { controlOf } from './control.ts';
import { breakConnection, findWay, refusal } from './postgres-connection.ts';
import type { Schema } from './schema.ts';

/** Stands for "serves this database" among the locks that programs agree on. */
const servingLock = 0x6761_7465;
/** How often the connection is asked, in milliseconds. */
const interval = 2_000;
/** How long it may take to answer, in milliseconds. */
const answerTimeout = 5_000;
/** How long to wait before the next attempt to claim again, in milliseconds. */
const retryDelay = 1_000;

/** A connection that has the lock, and what the server calls it: its process and when that began. */
type Held = { client: Client; session: string; ended: Promise<unknown> };

/**
 * @returns undefined where another process has the database
 * @throws ConfigurationError where it can't be reached
 */
export async function claimPostgres(config: PostgresConfig): Promise<Claim | undefined> {
  const { settings } = await findWay(config);
  const connect = async () => {
    const client = new Client(settings);
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const first = await claim(
    await connect().catch((error: unknown) => Promise.reject(refusal(error))),
    undefined,
  );
  if (!first) return undefined;

  let held = first;
  let released = false;
  let watching: Promise<void> = Promise.resolve();
  const stopping = new AbortController();

  /** Claims again, for as long as nobody else does. False where somebody has. */
  async function claimAgain(): Promise<boolean> {
    for (;;) {
      if (released) return true;
      try {
        const next = await claim(await connect(), held.session);
        if (!next) return false;
        held = next;
        return true;
      } catch {
        await wait(retryDelay);
      }
    }
  }

  async function watch(db: Kysely<Schema>, log: Log, whenLost: (reason: string) => void): Promise<void> {
    const control = controlOf(db);
    while (!released) {
      const reason = await reasonOfLoss(held, stopping.signal);
      if (released || reason === undefined) continue;
      log.error(`database: the connection that holds the claim is lost (${reason}): claiming again`);
      control.suspend();
      breakConnection(held.client, reason);
      if (!(await claimAgain())) return whenLost('another homeserver has claimed the database');
      if (released) return;
      control.resume();
      log.warn('database: claimed again');
    }
  }

  return {
    guard(db, log, whenLost) {
      watching = watch(db, log, whenLost);
    },
    async release() {
      released = true;
      stopping.abort();
      const farewell = setTimeout(() => breakConnection(held.client, 'the server stops'), retryDelay);
      await watching;
      await held.client.end();
      clearTimeout(farewell);
    },
  };
}

/**
 * Takes the lock. Where a connection has it that this process had and lost, that one is ended: the server may
 * not have noticed yet that nobody is behind it.
 *
 * @param lost what the server called the connection that had it last
 */
async function claim(client: Client, lost: string | undefined): Promise<Held | undefined> {
  try {
    for (;;) {
      const { rows } = await answered(
        client,
        `select pg_try_advisory_lock(${servingLock}) as claimed,
        pg_is_in_recovery() as reads_only,
        (select pid || ' ' || backend_start from pg_stat_activity where pid = pg_backend_pid()) as session`,
      );
      const [{ claimed, reads_only: readsOnly, session } = {} as Record<string, never>] = rows;
      if (readsOnly) throw new Error('the server is a standby');
      if (claimed) return { client, session, ended: new Promise((resolve) => client.once('end', resolve)) };
      const holders = await answered(
        client,
        `select pid, pid || ' ' || backend_start as session
        from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and objid = ${servingLock} and classid = 0 and objsubid = 1 and granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())`,
      );
      const [holder] = holders.rows;
      if (holder && holder.session !== lost) break;
      if (holder) await answered(client, `select pg_terminate_backend(${holder.pid})`);
      await wait(50);
    }
  } catch (error) {
    breakConnection(client, 'it could not claim the database');
    throw error;
  }
  await client.end();
  return undefined;
}

/** Waits until the connection is due to be asked, or breaks; says what is wrong with it, or nothing where it is well. */
async function reasonOfLoss({ client, ended }: Held, stopping: AbortSignal): Promise<string | undefined> {
  await Promise.race([ended, wait(interval, undefined, { signal: stopping }).catch(() => {})]);
  if (stopping.aborted) return undefined;
  try {
    const { rows } = await answered(client, 'select pg_is_in_recovery() as reads_only');
    return rows[0]?.reads_only ? 'the server has become a standby' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Runs a statement that is answered at once or never. */
async function answered(client: Client, statement: string) {
  const timer = setTimeout(
    () => breakConnection(client, `no answer for ${answerTimeout / 1000} s`),
    answerTimeout,
  );
  try {
    return await client.query(statement);
  } finally {
    clearTimeout(timer);
  }
}
