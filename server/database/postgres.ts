import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Client, Pool, types } from 'pg';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { DatabaseConfig } from '../config/database.ts';
import { requireVersion } from './minimum-version.ts';
import type { Schema } from './schema.ts';
import { countStatement } from './usage.ts';
import { withoutNul } from './without-nul.ts';

type PostgresConfig = Extract<DatabaseConfig, { name: 'psycopg2' }>;

/** Interface: "Limits", minimum runtime versions. */
const minimumVersion = '14';
/** How long to wait for a connection, in milliseconds. */
const connectTimeout = 10_000;

/**
 * Connects to a PostgreSQL database.
 *
 * @throws ConfigurationError where it can't be reached, is too old, or sorts text by a language's rules.
 *   Interface: "Startup refusals"
 */
export async function openPostgres(config: PostgresConfig): Promise<Kysely<Schema>> {
  const pool = new Pool({
    ...addressOf(config),
    max: config.poolSize,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  });
  // A connection that breaks while nobody uses it is replaced by the next one; it must not end the process.
  pool.on('error', reportLoss);
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [withoutNul],
    log: countStatement,
  });
  try {
    await check(db, config);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Stands for "serves this database" among the locks that programs agree on. */
const servingLock = 0x6761_7465;

/**
 * Claims the database for this process, by a lock that goes with its connection.
 *
 * @returns what gives the claim up, or undefined where another process has it
 * @throws ConfigurationError where the database can't be reached
 */
export async function claimPostgres(config: PostgresConfig): Promise<(() => Promise<void>) | undefined> {
  const client = new Client(addressOf(config));
  client.on('error', reportLoss);
  await client.connect().catch(explainFault);
  const { rows } = await client.query('select pg_try_advisory_lock($1) as claimed', [servingLock]);
  if (rows[0]?.claimed) return () => client.end();
  await client.end();
  return undefined;
}

const addressOf = ({ user, password, database, host, port }: PostgresConfig) => ({
  user,
  password,
  database,
  host,
  port,
  connectionTimeoutMillis: connectTimeout,
});

function explainFault(error: Error & { code?: string }): never {
  throw new ConfigurationError(
    'database.args',
    `the PostgreSQL database can't be opened (${error.code ?? error.message})`,
    'check user, password, dbname, host and port',
  );
}

const reportLoss = (error: Error) => void process.stderr.write(`database: ${error.message}\n`);

/** Counts and times come as 64-bit integers; all of ours are exact as numbers. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === types.builtins.INT8) return Number;
  return types.getTypeParser(oid, format);
}

async function check(db: Kysely<Schema>, { allowUnsafeLocale }: PostgresConfig): Promise<void> {
  const query = `select current_setting('server_version') as version, datcollate as collate, datctype as ctype
    from pg_database where datname = current_database()`;
  const { rows } = await db
    .executeQuery<{ version: string; collate: string; ctype: string }>(CompiledQuery.raw(query))
    .catch(explainFault);
  const [{ version = '', collate = '', ctype = '' } = {}] = rows;
  requireVersion('PostgreSQL', minimumVersion, version);
  if (allowUnsafeLocale || (collate === 'C' && ctype === 'C')) return;
  throw new ConfigurationError(
    'database.allow_unsafe_locale',
    `the database has COLLATE '${collate}' and CTYPE '${ctype}', which can corrupt its indexes`,
    "make it anew with LC_COLLATE='C' LC_CTYPE='C' TEMPLATE template0, or set this to true at your own risk",
  );
}
