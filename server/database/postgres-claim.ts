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
import {
  breakConnection,
  findWay,
  findWayAgain,
  readsOnly,
  refusal,
  unlessAborted,
} from './postgres-connection.ts';
import type { Schema } from './schema.ts';

/** Stands for "serves this database" among the locks that programs agree on. */
const servingLock = 0x6761_7465;
/** How often the connection is asked, in milliseconds. */
const interval = 2_000;
/** How long it may take to answer, in milliseconds. */
const answerTimeout = 5_000;
/** How long to wait before the next attempt to claim again, in milliseconds. */
const retryDelay = 1_000;

/**
 * @returns undefined where another process has the database
 * @throws ConfigurationError where it can't be reached
 */
export async function claimPostgres(config: PostgresConfig): Promise<Claim | undefined> {
  const way = await findWay(config);
  const connect = async (signal?: AbortSignal) => {
    const client = new Client(way.settings);
    client.on('error', () => {});
    await unlessAborted(client, signal, () => client.connect());
    return client;
  };
  const own = new Set<string>();
  const first = await claim(await connect().catch((error: unknown) => Promise.reject(refusal(error))), own);
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
        await findWayAgain(config, stopping.signal);
        const next = await claim(await connect(stopping.signal), own);
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
      breakConnection(held, reason);
      const isOurs = await claimAgain();
      if (released) return;
      if (!isOurs) return whenLost('another homeserver has claimed the database');
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
      const farewell = setTimeout(() => breakConnection(held, 'the server stops'), retryDelay);
      await watching;
      await held.end();
      clearTimeout(farewell);
    },
  };
}

/**
 * Takes the lock. Where a connection has it that this process had and lost, that one is ended: the server may
 * not have noticed yet that nobody is behind it.
 *
 * @param own what the server calls the connections that this process has had; the client's is added
 */
async function claim(client: Client, own: Set<string>): Promise<Client | undefined> {
  try {
    // Known before the lock is asked for: the answer to that may get lost.
    const { rows: sessions } = await answered(
      client,
      `select pid || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()`,
    );
    own.add(sessions[0]?.session);
    for (;;) {
      const { rows } = await answered(
        client,
        `select pg_try_advisory_lock(${servingLock}) as claimed,
        ${readsOnly} as reads_only`,
      );
      const [{ claimed, reads_only } = {} as Record<string, never>] = rows;
      if (reads_only) throw new Error('the server only reads');
      if (claimed) return client;
      const holders = await answered(
        client,
        `select pid, pid || ' ' || backend_start as session
        from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and objid = ${servingLock} and classid = 0 and objsubid = 1 and granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())`,
      );
      const [holder] = holders.rows;
      if (holder && !own.has(holder.session)) break;
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
async function reasonOfLoss(client: Client, stopping: AbortSignal): Promise<string | undefined> {
  await new Promise<void>((resolve) => {
    const due = () => {
      clearTimeout(timer);
      client.off('end', due);
      stopping.removeEventListener('abort', due);
      resolve();
    };
    const timer = setTimeout(due, interval);
    client.once('end', due);
    stopping.addEventListener('abort', due);
  });
  if (stopping.aborted) return undefined;
  try {
    const { rows } = await answered(client, `select ${readsOnly} as reads_only`);
    return rows[0]?.reads_only ? 'the server only reads by now' : undefined;
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
