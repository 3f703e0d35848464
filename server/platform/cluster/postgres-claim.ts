/**
 * Processes that serve a PostgreSQL database. Each has a connection outside of the pool. Its session locks show that
 * the process is running, its signing key and its ownerships; they end with the process. The connection also carries
 * the processes' notifications. Regular queries on it detect a server that hangs or has become read-only.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { createLimiter } from '../concurrency/limiter.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { PostgresConfig } from '../config/database.ts';
import { controlOf } from '../database/control.ts';
import {
  abortable,
  breakConnection,
  connectionError,
  findPrimary,
  isReadOnly,
  refreshPrimary,
} from '../database/postgres/postgres-connection.ts';
import type { Schema } from '../database/schema.ts';
import { type Claim, type Owned, OwnershipLost, type Watch } from './ownership.ts';

/** Advisory lock of every process that serves: shared. */
const servingLock = 0x6761_7465;
/** Shared by those who sign with a key, which is the lock's second half. */
const keyLock = 0x6761_7466;
/** Exclusive while a process joins. */
const joiningLock = 0x6761_7467;
/** For notifications. */
const channel = 'gatehouse';
/** How often the connection is checked, in milliseconds. */
const interval = 2_000;
/** How long a query may take, in milliseconds. */
const answerTimeout = 5_000;
/** The same during shutdown. */
const shortTimeout = 2_000;
/** How long to wait before the next attempt to rejoin, in milliseconds. */
const retryDelay = 1_000;
/**
 * Makes the server drop the connection, and so its locks, about 15 s after this computer vanished without closing it.
 */
const keepalive = `select set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '3', false), set_config('tcp_keepalives_count', '3', false)`;

/** Runs one statement at a time: pg doesn't queue them. */
class Connection extends Client {
  readonly statements = createLimiter({ total: 1 });
}

/** Why a process may not join. */
type Refusal = 'claimed as a whole' | 'another key';

/**
 * @returns undefined if another program has claimed the database as a whole
 * @throws ConfigurationError if it can't be reached
 */
export async function joinPostgres(config: PostgresConfig): Promise<Claim | undefined> {
  const primary = await findPrimary(config);
  const connect = async (signal?: AbortSignal) => {
    const client = new Connection(primary.settings);
    client.on('error', () => {});
    await abortable(client, signal, () => client.connect());
    return client;
  };
  let key: number | undefined;
  const refuse = (error: unknown) => Promise.reject(connectionError(error));
  let held = await connect().catch(refuse);
  if (await join(held, key).catch(refuse)) {
    await held.end();
    return undefined;
  }

  let released = false;
  let watching: Promise<void> = Promise.resolve();
  let giveUpDatabase = () => {};
  const owned = new Map<string, AbortController>();
  const stopping = new AbortController();

  const unlessStopped = (milliseconds: number) =>
    wait(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});

  /** Makes all queries fail once the database doesn't respond. */
  async function waitOnlyForAnswers(): Promise<void> {
    while (!released) {
      try {
        await answered(held, 'select 1', [], shortTimeout);
      } catch {
        // The release may have cut off the query, when nothing waits for the database anymore.
        if (released) return;
        released = true;
        stopping.abort();
        giveUpDatabase();
        return;
      }
      await unlessStopped(shortTimeout);
    }
  }

  /** Rejoins as soon as possible. Returns why this process may not, if so. */
  async function joinAgain(): Promise<Refusal | undefined> {
    for (;;) {
      if (released) return undefined;
      try {
        await refreshPrimary(config, stopping.signal);
        const next = await connect(stopping.signal);
        const refused = await join(next, key);
        if (refused) await next.end();
        else held = next;
        return refused;
      } catch {
        await unlessStopped(retryDelay);
      }
    }
  }

  async function tryOwn(name: string): Promise<Owned | undefined> {
    if (owned.has(name)) return undefined;
    const connection = held;
    const key = createHash('sha256').update(name).digest().readBigInt64BE().toString();
    const lost = new AbortController();
    owned.set(name, lost);
    const forget = () => {
      if (owned.get(name) === lost) owned.delete(name);
    };
    // If the query fails, the watch notices.
    const [lock] = await answered(
      connection,
      'select pg_try_advisory_lock($1::bigint) as is_owned, pg_backend_pid() as pid',
      [key],
    ).catch(() => []);
    if (!lock?.is_owned || lost.signal.aborted) {
      forget();
      return undefined;
    }
    return {
      lost: lost.signal,
      async require(tx) {
        const { rows } = await sql`
          select 1 from pg_locks where locktype = 'advisory' and granted and pid = ${lock.pid} and objsubid = 1
            and (classid::bigint << 32 | objid::bigint) = ${key}::bigint`.execute(tx);
        if (rows.length === 0 || lost.signal.aborted) throw new OwnershipLost(name);
      },
      async release() {
        if (!lost.signal.aborted) {
          await answered(connection, 'select pg_advisory_unlock($1::bigint)', [key]).catch(() => {});
        }
        forget();
      },
    };
  }

  function loseAll(): void {
    for (const [name, lost] of owned) lost.abort(new OwnershipLost(name));
    owned.clear();
  }

  async function watch(db: Kysely<Schema>, { log, notifier, whenLost }: Watch): Promise<void> {
    const control = controlOf(db);
    const { receive, catchUp, letOthersCatchUp } = notifier.connect(async (message) => {
      await answered(held, 'select pg_notify($1, $2)', [channel, message]);
    });
    const listen = async () => {
      held.on('notification', ({ payload = '' }) => receive(payload));
      await answered(held, `listen ${channel}`);
      // Earlier notifications aren't repeated.
      catchUp();
    };
    await listen().catch((err: unknown) => log.error({ err }, "database: can't listen for notifications:"));
    let known: readonly number[] | undefined;
    while (!released) {
      const { reason, serving = [] } = await checkWhenDue(held, stopping.signal);
      if (released) return;
      // A process that is gone may not have sent its last notifications. It may have gone before the first check.
      const isOneGone = known?.some((pid) => !serving.includes(pid)) ?? true;
      if (reason === undefined && isOneGone) catchUp();
      known = serving;
      if (reason === undefined) continue;
      log.error(`database: lost the coordination connection (${reason}): reconnecting`);
      control.suspend();
      loseAll();
      breakConnection(held, reason);
      const refused = await joinAgain();
      if (released) return;
      if (refused) return whenLost(sentences[refused]);
      control.resume();
      log.warn('database: reconnected');
      await listen()
        .then(letOthersCatchUp)
        .catch(() => {});
    }
  }

  return {
    tryOwn,
    async agreeOnKey(publicKey) {
      const wanted = createHash('sha256').update(publicKey).digest().readInt32BE();
      if (await join(held, wanted).catch(refuse)) {
        throw new ConfigurationError(
          'signing_key_path',
          sentences['another key'],
          'use the same file for all processes',
        );
      }
      key = wanted;
    },
    guard(db, options) {
      giveUpDatabase = () => controlOf(db).giveUp?.();
      watching = watch(db, options);
    },
    hurry() {
      void waitOnlyForAnswers();
    },
    async release() {
      released = true;
      stopping.abort();
      const timeout = setTimeout(() => breakConnection(held, 'the server is shutting down'), retryDelay);
      await watching;
      await held.end();
      clearTimeout(timeout);
    },
  };
}

const sentences: Record<Refusal, string> = {
  'claimed as a whole': 'another homeserver has claimed the database',
  'another key': 'other processes on this database use a different signing key',
};

/** Takes the locks of a process that serves, and if a key is given, of one that signs with it. */
async function join(client: Connection, key: number | undefined): Promise<Refusal | undefined> {
  try {
    // Not every system has these.
    await answered(client, keepalive).catch(() => {});
    const [{ claimed, reads_only } = {} as Record<string, never>] = await answered(
      client,
      `select pg_try_advisory_lock_shared(${servingLock}) as claimed, ${isReadOnly} as reads_only`,
    );
    if (reads_only) throw new Error('the database server is read-only');
    if (!claimed) return 'claimed as a whole';
    if (key === undefined) return undefined;
    await answered(client, `select pg_advisory_lock(${joiningLock})`);
    const others = await answered(
      client,
      `select 1 from pg_locks where locktype = 'advisory' and granted
        and classid = ${keyLock} and objsubid = 2 and objid <> $1::bigint::oid
        and database = (select oid from pg_database where datname = current_database())`,
      [key >>> 0],
    );
    if (others.length === 0) await answered(client, `select pg_advisory_lock_shared(${keyLock}, $1)`, [key]);
    await answered(client, `select pg_advisory_unlock(${joiningLock})`);
    return others.length === 0 ? undefined : 'another key';
  } catch (error) {
    breakConnection(client, "can't join the other processes");
    throw error;
  }
}

/**
 * Checks the connection when that is due or it breaks. Returns the fault, or the connections of all serving processes.
 */
async function checkWhenDue(
  client: Connection,
  stopping: AbortSignal,
): Promise<{ reason?: string; serving?: readonly number[] }> {
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
  if (stopping.aborted) return {};
  try {
    const [found] = await answered(
      client,
      `select ${isReadOnly} as reads_only, array(
        select pid from pg_locks where locktype = 'advisory' and granted
          and classid = 0 and objid = ${servingLock} and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())) as serving`,
    );
    return found?.reads_only
      ? { reason: 'the database server has become read-only' }
      : { serving: found?.serving };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs a statement that never waits on the server. Returns its rows. */
async function answered(
  client: Connection,
  statement: string,
  values: unknown[] = [],
  timeout: number = answerTimeout,
) {
  const timer = setTimeout(() => breakConnection(client, `no response for ${timeout / 1000} s`), timeout);
  try {
    return (await client.statements.run('', () => client.query(statement, values))).rows;
  } finally {
    clearTimeout(timer);
  }
}
