import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Client, DatabaseError, Pool, type PoolClient } from 'pg';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { PostgresConfig } from '../../config/database.ts';
import type { Log } from '../../core/log.ts';
import { setControl } from '../control.ts';
import { requireVersion } from '../engine.ts';
import { DatabaseFault } from '../fault.ts';
import { migrate, migrationList, requireOwnTables } from '../migrate.ts';
import { countStatement } from '../query/statements.ts';
import { withoutNul } from '../query/without-nul.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import {
  breakConnection,
  connectionError,
  findPrimary,
  type Primary,
  watchConnection,
  withoutTimeouts,
} from './postgres-connection.ts';

/**
 * Returns the function that takes a connection from a pool. If PostgreSQL lacks the resources for another one (disk full,
 * too many connections), it waits for one of this pool.
 *
 * @param timeout in milliseconds
 */
function connectionsOf(pool: Pool, timeout: number): () => Promise<PoolClient> {
  const queue: (() => void)[] = [];
  let connected = 0;
  const next = () => queue.shift()?.();
  pool.on('release', next);
  pool.on('connect', () => connected++);
  pool.on('remove', () => {
    connected--;
    do next();
    while (connected === 0 && queue.length > 0);
  });

  const waitForTurn = () =>
    new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(admit), 1);
        reject(new DatabaseFault('unavailable', `no free connection for ${timeout / 1000} s`));
      }, timeout);
      queue.push(admit);
    });

  return async () => {
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (connected === 0 || !lacksResources(error)) throw error;
        // Another one may have been released in the meantime.
        if (pool.idleCount === 0) await waitForTurn();
      }
    }
  };
}

/** Class 53: disk, memory or connections. */
const lacksResources = (error: unknown) =>
  error instanceof DatabaseError && error.code?.startsWith('53') === true;

const minimumVersion = '14';
/** Connections reserved for single statements, so that they don't wait for transactions. */
const reserved = 2;
/** How long closing connections may take, in milliseconds. */
const closeTimeout = 1_000;

/**
 * Connects to a PostgreSQL database and brings it to the newest schema.
 *
 * @throws ConfigurationError if it is unreachable, too old, has an unsafe locale, or belongs to another program
 */
export async function openPostgres(config: PostgresConfig, log?: Log): Promise<Kysely<Schema>> {
  const primary = await findPrimary(config);
  const options = `${primary.settings.options} ${withoutTimeouts}`;
  const upgrading = open(config, { settings: { ...primary.settings, options }, responseTimeout: 0 }, log);
  try {
    await check(upgrading, config);
    await requireOwn(upgrading);
    await migrate(upgrading);
  } catch (error) {
    throw error instanceof DatabaseFault ? connectionError(error) : error;
  } finally {
    await upgrading.destroy();
  }
  return open(config, primary, log);
}

/** Connects each new connection of the pool to the current primary, and adds it to `open` until it ends. */
const clientOf = (primary: Primary, open: Set<Client>) =>
  class extends Client {
    constructor() {
      super(primary.settings);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

function open(
  { poolSize, queueTimeout }: PostgresConfig,
  primary: Primary,
  log: Log | undefined,
): Kysely<Schema> {
  const clients = new Set<Client>();
  const pool = new Pool({
    max: poolSize,
    // With a full disk, the database may not accept a new one.
    min: 1,
    connectionTimeoutMillis: primary.settings.connectionTimeoutMillis,
    Client: clientOf(primary, clients),
  });
  // The connection has logged it, and the pool opens a new one on demand.
  pool.on('error', () => {});
  pool.on('connect', (client) => watchConnection(client, primary.responseTimeout, log));
  const breakAll = (reason: string) => {
    for (const client of clients) breakConnection(client, reason);
  };

  /** True between the log lines for losing and regaining the database. */
  let isLost = false;
  const alreadyLogged = () => isLost;
  const lostError = (cause: unknown) => new DatabaseFault('unavailable', cause, { alreadyLogged: isLost });

  const semaphore = createSemaphore(poolSize, queueTimeout, alreadyLogged);
  const take = connectionsOf(pool, queueTimeout);
  let suspended = false;
  const connect = async (): Promise<PostgresPoolClient> => {
    const leave = await semaphore.acquire();
    try {
      const client = await take();
      const { release } = client;
      client.release = (destroy) => {
        release(destroy);
        leave();
      };
      if (!suspended) return client as PostgresPoolClient;
      client.release(true);
    } catch (error) {
      leave();
      throw error instanceof DatabaseFault ? error : lostError(error);
    }
    throw lostError('connection lost');
  };
  const end = async () => {
    // A server that doesn't respond would keep the process alive.
    setTimeout(() => breakAll('the server stops'), closeTimeout).unref();
    await pool.end();
  };

  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } }),
    plugins: [withoutNul],
    log: ({ query, queryDurationMillis }) => countStatement(query.sql, queryDurationMillis),
  });
  setControl(db, {
    transactions: createSemaphore(
      poolSize - Math.min(reserved, Math.floor(poolSize / 2)),
      queueTimeout,
      alreadyLogged,
    ),
    suspend() {
      suspended = true;
      isLost = true;
      semaphore.close();
      breakAll('the database is suspended for this process');
    },
    resume() {
      suspended = false;
      isLost = false;
      semaphore.open();
    },
    giveUp() {
      suspended = true;
      semaphore.end();
      breakAll('the server stops');
    },
  });
  return db;
}

async function check(db: Kysely<Schema>, { allowUnsafeLocale }: PostgresConfig): Promise<void> {
  const query = `select current_setting('server_version') as version, datcollate as collate, datctype as ctype
    from pg_database where datname = current_database()`;
  const { rows } = await db.executeQuery<{ version: string; collate: string; ctype: string }>(
    CompiledQuery.raw(query),
  );
  const [{ version = '', collate = '', ctype = '' } = {}] = rows;
  requireVersion('PostgreSQL', minimumVersion, version);
  if (allowUnsafeLocale || (collate === 'C' && ctype === 'C')) return;
  throw new ConfigurationError(
    'database.allow_unsafe_locale',
    `the database has COLLATE '${collate}' and CTYPE '${ctype}', which can corrupt its indexes`,
    "recreate it with LC_COLLATE='C' LC_CTYPE='C' TEMPLATE template0, or set this to true at your own risk",
  );
}

/**
 * Checks only the schema of our tables; others may belong to other programs.
 *
 * @throws ConfigurationError if it has tables of another program
 */
async function requireOwn(db: Kysely<Schema>): Promise<void> {
  const select = async <Row>(query: string) => (await db.executeQuery<Row>(CompiledQuery.raw(query))).rows;
  const found = await select<{ name: string; path: string }>(
    `select relname::text as name, c.oid::regclass::text as path from pg_class c
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`,
  );
  const tables = found.map(({ name }) => name);
  const list = found.find(({ name }) => name === migrationList);
  requireOwnTables(tables, list ? await select<{ name?: unknown }>(`select * from ${list.path}`) : [], [
    'database.args',
    'the database',
    'use another, empty database',
  ]);
}
