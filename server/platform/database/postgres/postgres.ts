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
import { breakConnection, findWay, refusal, type Way, watchConnection } from './postgres-connection.ts';

/**
 * Gives the function that takes a connection of a pool. Where PostgreSQL gives no new one for want of something (on a
 * full disk, or when others have all that it allows), one that this server has already is waited for.
 *
 * @param patience how long one waits at the most, in milliseconds
 */
function connectionsOf(pool: Pool, patience: number): () => Promise<PoolClient> {
  const line: (() => void)[] = [];
  let connected = 0;
  const next = () => line.shift()?.();
  pool.on('release', next);
  pool.on('connect', () => connected++);
  pool.on('remove', () => {
    connected--;
    do next();
    while (connected === 0 && line.length > 0);
  });

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(admit), 1);
        reject(new DatabaseFault('unavailable', `no free connection for ${patience / 1000} s`));
      }, patience);
      line.push(admit);
    });

  return async () => {
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (connected === 0 || !isWanting(error)) throw error;
        // While it was refused one, another may have come back.
        if (pool.idleCount === 0) await turn();
      }
    }
  };
}

/** Insufficient resources: the disk, memory, connections. */
const isWanting = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith('53') === true;

const minimumVersion = '14';
/** So many connections are kept for what is not in a transaction, and so never waits for a lock that one holds. */
const reserved = 2;
/** How long connections may take to say goodbye, in milliseconds. */
const farewell = 1_000;

/**
 * Connects to a PostgreSQL database and brings it to the newest schema.
 *
 * @throws ConfigurationError where it can't be reached, is too old, or sorts text by a language's rules
 */
export async function openPostgres(config: PostgresConfig, log?: Log): Promise<Kysely<Schema>> {
  const way = await findWay(config);
  // A migration takes as long as it takes.
  const options = `${way.settings.options} ${unlimited}`;
  const upgrading = open(config, { settings: { ...way.settings, options }, patience: 0 }, log);
  try {
    await check(upgrading, config);
    await requireOwn(upgrading);
    await migrate(upgrading);
  } catch (error) {
    throw error instanceof DatabaseFault ? refusal(error) : error;
  } finally {
    await upgrading.destroy();
  }
  return open(config, way, log);
}

/** The connections of a pool, each to where the database is when it opens; `open` holds those that are not over. */
const clientOf = (way: Way, open: Set<Client>) =>
  class extends Client {
    constructor() {
      super(way.settings);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

function open({ poolSize, queueTimeout }: PostgresConfig, way: Way, log: Log | undefined): Kysely<Schema> {
  const clients = new Set<Client>();
  const pool = new Pool({
    max: poolSize,
    // On a full disk the database may give no other.
    min: 1,
    connectionTimeoutMillis: way.settings.connectionTimeoutMillis,
    Client: clientOf(way, clients),
  });
  // The connection itself has said it, and the pool makes a new one when it needs one.
  pool.on('error', () => {});
  pool.on('connect', (client) => watchConnection(client, way.patience, log));
  const breakAll = (reason: string) => {
    for (const client of clients) breakConnection(client, reason);
  };

  /** From when the log says that the server has lost it until it says that it has it again. */
  let isAway = false;
  const saysSo = () => isAway;
  const lost = (cause: unknown) => new DatabaseFault('unavailable', cause, { isSaid: isAway });

  const semaphore = createSemaphore(poolSize, queueTimeout, saysSo);
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
      throw error instanceof DatabaseFault ? error : lost(error);
    }
    throw lost('connection lost');
  };
  const end = async () => {
    // Whoever doesn't answer to a goodbye would keep the process.
    setTimeout(() => breakAll('the server stops'), farewell).unref();
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
      saysSo,
    ),
    suspend() {
      suspended = true;
      isAway = true;
      semaphore.close();
      breakAll('the database is suspended for this process');
    },
    resume() {
      suspended = false;
      isAway = false;
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
 * Looks only where our tables are made: other schemas are other programs'.
 *
 * @throws ConfigurationError where there is something of another program
 */
async function requireOwn(db: Kysely<Schema>): Promise<void> {
  const ask = async <Row>(query: string) => (await db.executeQuery<Row>(CompiledQuery.raw(query))).rows;
  const found = await ask<{ name: string; place: string }>(
    `select relname::text as name, c.oid::regclass::text as place from pg_class c
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`,
  );
  const tables = found.map(({ name }) => name);
  const list = found.find(({ name }) => name === migrationList);
  requireOwnTables(tables, list ? await ask<{ name?: unknown }>(`select * from ${list.place}`) : [], [
    'database.args',
    'the database',
    'use another, empty database',
  ]);
}
