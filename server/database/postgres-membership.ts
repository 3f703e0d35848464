/**
 * One of the processes that serve a PostgreSQL database. Each has a connection of its own for this, outside of the
 * pool: the locks on it say that the process is there and which key it signs with, and go with it, however it ends;
 * what processes tell each other comes over it. It is asked again and again whether it is alive; that is also how a
 * server is noticed that hangs, or that no longer takes writes.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { PostgresConfig } from '../config/database.ts';
import type { Claim, Watch } from './claim-type.ts';
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

/**
 * What the locks stand for, among those that programs agree on. Who serves shares the first; builds from before there
 * could be several processes want it as a whole, and so never run beside any other.
 */
const servingLock = 0x6761_7465;
/** Shared by those who sign with a key, which is the lock's second half. */
const keyLock = 0x6761_7466;
/** Held as a whole by who joins: one after the other. */
const joiningLock = 0x6761_7467;
/** Where processes tell each other what is new. */
const channel = 'gatehouse';
/** How often the connection is asked, in milliseconds. */
const interval = 2_000;
/** How long it may take to answer, in milliseconds. */
const answerTimeout = 5_000;
/** And while the server stops, in milliseconds. */
const shortTimeout = 2_000;
/** How long to wait before the next attempt to join again, in milliseconds. */
const retryDelay = 1_000;

/** Why a process may not serve the database beside those that do. */
type Refused = 'it is claimed as a whole' | 'another key';

/**
 * @returns undefined where a build has the database that serves it alone
 * @throws ConfigurationError where it can't be reached
 */
export async function joinPostgres(config: PostgresConfig): Promise<Claim | undefined> {
  const way = await findWay(config);
  const connect = async (signal?: AbortSignal) => {
    const client = new Client(way.settings);
    client.on('error', () => {});
    await unlessAborted(client, signal, () => client.connect());
    return client;
  };
  let key: number | undefined;
  const refuse = (error: unknown) => Promise.reject(refusal(error));
  let held = await connect().catch(refuse);
  if (await join(held, key).catch(refuse)) {
    await held.end();
    return undefined;
  }

  let released = false;
  let watching: Promise<void> = Promise.resolve();
  let giveUpDatabase = () => {};
  const stopping = new AbortController();

  const unlessStopped = (milliseconds: number) =>
    wait(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});

  /** Lets everything that waits for the database fail, as soon as that doesn't answer. */
  async function waitOnlyForAnswers(): Promise<void> {
    while (!released) {
      try {
        await answered(held, 'select 1', [], shortTimeout);
      } catch {
        // It may have been asked when it was let go: nothing waits for the database by then.
        if (released) return;
        released = true;
        stopping.abort();
        giveUpDatabase();
        return;
      }
      await unlessStopped(shortTimeout);
    }
  }

  /** Joins again, as soon as that can be. Says why where it may not. */
  async function joinAgain(): Promise<Refused | undefined> {
    for (;;) {
      if (released) return undefined;
      try {
        await findWayAgain(config, stopping.signal);
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

  async function watch(db: Kysely<Schema>, { log, notifier, whenLost }: Watch): Promise<void> {
    const control = controlOf(db);
    const { receive, catchUp, letOthersCatchUp } = notifier.connect(async (message) => {
      await answered(held, 'select pg_notify($1, $2)', [channel, message]);
    });
    const listen = async () => {
      held.on('notification', ({ payload = '' }) => receive(payload));
      await answered(held, `listen ${channel}`);
      // What others said before is not repeated.
      catchUp();
    };
    await listen().catch((err: unknown) => log.error({ err }, "database: can't listen for notifications:"));
    let known: readonly number[] = [];
    while (!released) {
      const { reason, serving = [] } = await askWhenDue(held, stopping.signal);
      if (released) return;
      // One that has gone may not have told what it did last.
      if (reason === undefined && known.some((pid) => !serving.includes(pid))) catchUp();
      known = serving;
      if (reason === undefined) continue;
      log.error(`database: lost the coordination connection (${reason}): reconnecting`);
      control.suspend();
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
    guard(db, told) {
      giveUpDatabase = () => controlOf(db).giveUp?.();
      watching = watch(db, told);
    },
    hurry() {
      void waitOnlyForAnswers();
    },
    async release() {
      released = true;
      stopping.abort();
      const farewell = setTimeout(() => breakConnection(held, 'the server is shutting down'), retryDelay);
      await watching;
      await held.end();
      clearTimeout(farewell);
    },
  };
}

const sentences: Record<Refused, string> = {
  'it is claimed as a whole': 'another homeserver has claimed the database',
  'another key': 'other processes on this database use a different signing key',
};

/** Takes the locks of a process that serves, and with a key those of who signs with it. */
async function join(client: Client, key: number | undefined): Promise<Refused | undefined> {
  try {
    const [{ claimed, reads_only } = {} as Record<string, never>] = await answered(
      client,
      `select pg_try_advisory_lock_shared(${servingLock}) as claimed, ${readsOnly} as reads_only`,
    );
    if (reads_only) throw new Error('the database server is read-only');
    if (!claimed) return 'it is claimed as a whole';
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
 * Waits until the connection is due to be asked, or breaks. Says what is wrong with it, or, where it is well, by which
 * connections processes serve at that moment.
 */
async function askWhenDue(
  client: Client,
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
      `select ${readsOnly} as reads_only, array(
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

/** Runs a statement that is answered at once or never, and gives its rows. */
async function answered(
  client: Client,
  statement: string,
  values: unknown[] = [],
  timeout: number = answerTimeout,
) {
  const timer = setTimeout(() => breakConnection(client, `no response for ${timeout / 1000} s`), timeout);
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    clearTimeout(timer);
  }
}
