/** PostgreSQL connections with timeouts and failover; losing one doesn't hang or end the process. */
import type { Duplex } from 'node:stream';
import { Client, type ClientBase, type ClientConfig, DatabaseError, types } from 'pg';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { PostgresConfig } from '../../config/database.ts';
import type { Log } from '../../core/log.ts';
import { DatabaseFault, ForeignKeyViolation } from '../fault.ts';
import { type Encryption, encryptionsOf } from './postgres-tls.ts';

/**
 * Defaults, which `database.args.options` can override, in milliseconds. The lock timeout is short because waiting occupies
 * a connection; `inTransaction` retries without one.
 */
const limits = {
  statement_timeout: 15_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** Keeps pooled connections open even if the role or database limits idle ones. */
const noIdleLimit = '-c idle_session_timeout=0';

/** Connection options without the server's timeouts. */
export const withoutTimeouts =
  '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

/** The host that accepts writes; updated in place after a failover. */
export type Primary = {
  settings: ClientConfig;
  /** How long to wait for the response to a statement, in milliseconds; 0 for no limit. */
  responseTimeout: number;
};

/** The encryption that worked is kept for each host: a connection never falls back from TLS to plain text. */
type KnownPrimary = { primary: Primary; encryptions: Map<Host, Encryption> };
type Host = Pick<PostgresConfig, 'host' | 'port'>;
const knownPrimaries = new WeakMap<PostgresConfig, KnownPrimary>();

/**
 * Returns the first configured host that accepts writes, with the first encryption that it and the configuration allow.
 *
 * @throws ConfigurationError if there is none
 */
export async function findPrimary(config: PostgresConfig): Promise<Primary> {
  const known = knownPrimaries.get(config);
  if (known) return known.primary;
  const encryptions = new Map<Host, Encryption>();
  const primary = await searchPrimary(config, encryptions).catch((error: unknown) =>
    Promise.reject(connectionError(error)),
  );
  knownPrimaries.set(config, { primary, encryptions });
  return primary;
}

/**
 * Searches the primary again and updates the object that `findPrimary` returned.
 *
 * @throws Error if no host accepts writes or the signal is aborted
 */
export async function refreshPrimary(config: PostgresConfig, signal: AbortSignal): Promise<void> {
  const known = knownPrimaries.get(config);
  if (known) Object.assign(known.primary, await searchPrimary(config, known.encryptions, signal));
}

async function searchPrimary(
  config: PostgresConfig,
  encryptions: Map<Host, Encryption>,
  signal?: AbortSignal,
): Promise<Primary> {
  let failure: unknown;
  for (const host of [config, ...config.others]) {
    const known = encryptions.get(host);
    for (const encryption of known === undefined ? encryptionsOf(config, host.host) : [known]) {
      const settings = settingsOf(config, host, encryption);
      try {
        const { responseTimeout, limitsIdle } = await limitsOf(settings, config, signal);
        encryptions.set(host, encryption);
        const options = limitsIdle ? `${noIdleLimit} ${settings.options}` : settings.options;
        return { settings: { ...settings, options }, responseTimeout };
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

/**
 * Returns the response timeout, and whether the server has `idle_session_timeout`, which old versions don't.
 *
 * @throws Error if the server is unreachable or read-only
 */
async function limitsOf(
  settings: ClientConfig,
  { connectTimeout }: PostgresConfig,
  signal?: AbortSignal,
): Promise<{ responseTimeout: number; limitsIdle: boolean }> {
  const client = new Client(settings);
  client.on('error', () => {});
  try {
    return await abortable(client, signal, async () => {
      await client.connect();
      const { rows } = await client.query(
        `select setting, ${isReadOnly} as reads_only, current_setting('idle_session_timeout', true) as idle
          from pg_settings where name = 'statement_timeout'`,
      );
      if (rows[0]?.reads_only) throw new Error('the database server is read-only');
      const limit = Number(rows[0]?.setting);
      const responseTimeout = limit && limit + (connectTimeout || responseMargin);
      return { responseTimeout, limitsIdle: rows[0]?.idle !== null };
    });
  } finally {
    void client.end();
  }
}

/** Runs work with a connection, which is closed if the signal is aborted in the meantime. */
export async function abortable<Result>(
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

/** SQL expression: true on a standby or if writes are turned off. */
export const isReadOnly = "(current_setting('transaction_read_only') = 'on')";

/** How long after its own statement timeout the server must have responded, in milliseconds. */
const responseMargin = 5_000;

function settingsOf(config: PostgresConfig, { host, port }: Host, ssl: Encryption): ClientConfig {
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
    // For repeated names, the last one wins.
    options: [...ours, ...(options === undefined ? [] : [options])].join(' '),
    connectionTimeoutMillis: config.connectTimeout,
    keepAlive: config.keepAliveIdle !== undefined,
    keepAliveInitialDelayMillis: config.keepAliveIdle ?? 0,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  };
}

/** Parses 64-bit integers to numbers: all of ours are exact. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === types.builtins.INT8) return Number;
  return types.getTypeParser(oid, format);
}

/** Returns the startup error, without secrets. */
export function connectionError(error: unknown): ConfigurationError {
  if (error instanceof ConfigurationError) return error;
  const { code, message } = (error instanceof DatabaseFault ? error.cause : error) as NodeJS.ErrnoException;
  return new ConfigurationError(
    'database.args',
    `can't connect to the PostgreSQL database (${code ?? message})`,
    'check user, password, dbname, host, port and sslmode',
  );
}

/**
 * Logs the loss of a connection, closes it if a statement gets no response, and converts errors to faults.
 *
 * @param responseTimeout in milliseconds; 0 for no limit
 */
export function watchConnection(client: ClientBase, responseTimeout: number, log: Log | undefined): void {
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
      responseTimeout > 0 &&
      setTimeout(
        () => breakConnection(client, `no response to a statement for ${responseTimeout / 1000} s`),
        responseTimeout,
      );
    try {
      return await query(...statement);
    } catch (error) {
      // Read-only: no longer the primary. The next connection may find the new one.
      if (error instanceof DatabaseError && error.code === '25006') breakConnection(client, error.message);
      throw broken ? new DatabaseFault('unavailable', error) : asFault(error);
    } finally {
      if (timer) clearTimeout(timer);
    }
  };
  client.query = watched as typeof client.query;
}

/** Closes a connection at once; its statements fail. */
export function breakConnection(client: ClientBase, reason: string): void {
  // As pg's pool does: a graceful end would wait for a response.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy(new Error(reason));
}

function asFault(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code === undefined) return error;
  if (error.code === '23503') return new ForeignKeyViolation(error);
  if (contended.has(error.code)) return new DatabaseFault('contended', error);
  if (error.code === '53100') return new DatabaseFault('full', error);
  if (unavailable.test(error.code)) return new DatabaseFault('unavailable', error);
  return error;
}

/** Serialization failure, deadlock, lock timeout. */
const contended = new Set(['40001', '40P01', '55P03']);

/** Connection errors, insufficient resources, shutdown and startup, statement and transaction timeouts, read-only server. */
const unavailable = /^(08...|53...|57...|25P03|25006)$/;
