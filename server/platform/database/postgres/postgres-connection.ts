/** Connections to PostgreSQL that nothing which happens to the server can hang or end the process with. */
import type { Duplex } from 'node:stream';
import { Client, type ClientBase, type ClientConfig, DatabaseError, types } from 'pg';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { PostgresConfig } from '../../config/database.ts';
import type { Log } from '../../core/log.ts';
import { BelongsToNothing, DatabaseFault } from '../fault.ts';
import { type Encryption, encryptionsOf } from './postgres-tls.ts';

/**
 * Limits that hold unless `database.args.options` says otherwise, in milliseconds. A lock is waited for only
 * shortly, because whoever waits keeps a connection: `inTransaction` begins again without one.
 */
const limits = {
  statement_timeout: 15_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** Connections that nothing runs on are there to be used, whatever the role or the database says of such. */
const evenIfIdle = '-c idle_session_timeout=0';

/**
 * How to connect for now, and how long a statement may go without any answer, in milliseconds: 0 for as long as it
 * likes. Where the database may run at several places, this changes when another one takes the writes.
 */
export type Way = { settings: ClientConfig; patience: number };

/** The ways that were found for a configuration: the one to the database, and how each place takes connections. */
type Found = { way: Way; encryptions: Map<Place, Encryption> };
type Place = Pick<PostgresConfig, 'host' | 'port'>;
const found = new WeakMap<PostgresConfig, Found>();

/**
 * Finds a place where the database runs and takes writes, and the first way of connecting to it that the
 * configuration allows. That way stays for good: where TLS was once spoken nobody goes back to plain text.
 *
 * @throws ConfigurationError where there is none
 */
export async function findWay(config: PostgresConfig): Promise<Way> {
  const known = found.get(config);
  if (known) return known.way;
  const encryptions = new Map<Place, Encryption>();
  const way = await lookForWay(config, encryptions).catch((error: unknown) => Promise.reject(refusal(error)));
  found.set(config, { way, encryptions });
  return way;
}

/**
 * Finds out where the database takes writes by now, for everyone who has the way.
 *
 * @throws where it is nowhere, or when the signal is aborted
 */
export async function findWayAgain(config: PostgresConfig, signal: AbortSignal): Promise<void> {
  const known = found.get(config);
  if (known) Object.assign(known.way, await lookForWay(config, known.encryptions, signal));
}

async function lookForWay(
  config: PostgresConfig,
  encryptions: Map<Place, Encryption>,
  signal?: AbortSignal,
): Promise<Way> {
  let failure: unknown;
  for (const place of [config, ...config.others]) {
    const known = encryptions.get(place);
    for (const encryption of known === undefined ? encryptionsOf(config, place.host) : [known]) {
      const settings = settingsOf(config, place, encryption);
      try {
        const { patience, limitsIdle } = await limitsOf(settings, config, signal);
        encryptions.set(place, encryption);
        const options = limitsIdle ? `${evenIfIdle} ${settings.options}` : settings.options;
        return { settings: { ...settings, options }, patience };
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

/**
 * How long a statement may go without any answer there, and whether it knows of a limit for idle connections, as those
 * don't that are too old. @throws where it can't be reached, or only reads
 */
async function limitsOf(
  settings: ClientConfig,
  { connectTimeout }: PostgresConfig,
  signal?: AbortSignal,
): Promise<{ patience: number; limitsIdle: boolean }> {
  const client = new Client(settings);
  client.on('error', () => {});
  try {
    return await unlessAborted(client, signal, async () => {
      await client.connect();
      const { rows } = await client.query(
        `select setting, ${readsOnly} as reads_only, current_setting('idle_session_timeout', true) as idle
          from pg_settings where name = 'statement_timeout'`,
      );
      if (rows[0]?.reads_only) throw new Error('the database server is read-only');
      const limit = Number(rows[0]?.setting);
      const patience = limit && limit + (connectTimeout || answerMargin);
      return { patience, limitsIdle: rows[0]?.idle !== null };
    });
  } finally {
    void client.end();
  }
}

/** Works with a connection that breaks when the signal is aborted before the work is over. */
export async function unlessAborted<Result>(
  client: Client,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const giveUp = () => breakConnection(client, 'the server is shutting down');
  signal?.addEventListener('abort', giveUp);
  try {
    return await work();
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Whether a server takes no writes, in SQL: it follows another, or was told to take none. */
export const readsOnly = "(current_setting('transaction_read_only') = 'on')";

/** The server ends a statement that takes too long; so much later it should have said so, in milliseconds. */
const answerMargin = 5_000;

function settingsOf(config: PostgresConfig, { host, port }: Place, ssl: Encryption): ClientConfig {
  const { user, password, database, applicationName, options } = config;
  const ours = Object.entries(limits).map(([name, value]) => `-c ${name}=${value}`);
  return {
    user,
    password,
    database,
    host,
    port,
    ssl,
    application_name: applicationName,
    // The last one of a name counts.
    options: [...ours, ...(options === undefined ? [] : [options])].join(' '),
    connectionTimeoutMillis: config.connectTimeout,
    keepAlive: config.keepAliveIdle !== undefined,
    keepAliveInitialDelayMillis: config.keepAliveIdle ?? 0,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  };
}

/** Counts and times come as 64-bit integers; all of ours are exact as numbers. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === types.builtins.INT8) return Number;
  return types.getTypeParser(oid, format);
}

/** Says why a start can't have the database, without naming any secret. */
export function refusal(error: unknown): ConfigurationError {
  // A file that it names can't be used.
  if (error instanceof ConfigurationError) return error;
  const { code, message } = (error instanceof DatabaseFault ? error.cause : error) as NodeJS.ErrnoException;
  return new ConfigurationError(
    'database.args',
    `can't connect to the PostgreSQL database (${code ?? message})`,
    'check user, password, dbname, host, port and sslmode',
  );
}

/**
 * Watches over a connection: its loss is said and doesn't end the process, a statement that gets no answer
 * at all ends it, and what goes wrong for the database's own reasons becomes a DatabaseFault.
 *
 * @param patience how long the server may say nothing to a statement, in milliseconds; 0 for as long as it likes
 */
export function watchConnection(client: ClientBase, patience: number, log: Log | undefined): void {
  let broken = false;
  client.on('error', (error) => {
    broken = true;
    log?.error(`database: ${error.message}`);
  });
  client.on('end', () => {
    broken = true;
  });
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
  const watched = async (...statement: unknown[]) => {
    const timer =
      patience > 0 &&
      setTimeout(
        () => breakConnection(client, `no response to a statement for ${patience / 1000} s`),
        patience,
      );
    try {
      return await query(...statement);
    } catch (error) {
      // What had been the primary no longer is: the next connection may find the one that is.
      if (error instanceof DatabaseError && error.code === '25006') breakConnection(client, error.message);
      throw broken ? new DatabaseFault('unavailable', error) : asFault(error);
    } finally {
      if (timer) clearTimeout(timer);
    }
  };
  client.query = watched as typeof client.query;
}

/** Ends a connection at once, whatever it is doing; every statement on it fails. */
export function breakConnection(client: ClientBase, reason: string): void {
  // As pg's own pool does: to end it politely one would have to be answered.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy(new Error(reason));
}

function asFault(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code === undefined) return error;
  // A foreign key's violation.
  if (error.code === '23503') return new BelongsToNothing(error);
  if (contended.has(error.code)) return new DatabaseFault('contended', error);
  if (error.code === '53100') return new DatabaseFault('full', error);
  if (unavailable.test(error.code)) return new DatabaseFault('unavailable', error);
  return error;
}

/** Serialization failure, deadlock, a lock that was not free in time. */
const contended = new Set(['40001', '40P01', '55P03']);

/**
 * Connection exceptions, too few resources, shutdown and start, statements and transactions that took too
 * long, and a server that only reads.
 */
const unavailable = /^(08...|53...|57...|25P03|25006)$/;
