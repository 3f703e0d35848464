import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { DatabaseConfig } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
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
    user: config.user,
    password: config.password,
    database: config.database,
    host: config.host,
    port: config.port,
    max: config.poolSize,
    connectionTimeoutMillis: connectTimeout,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  });
  // A connection that breaks while nobody uses it is replaced by the next one; it must not end the process.
  pool.on('error', (error) => process.stderr.write(`database: ${error.message}\n`));
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
    .catch((error: Error & { code?: string }) => {
      throw new ConfigurationError(
        'database.args',
        `the PostgreSQL database can't be opened (${error.code ?? error.message})`,
        'check user, password, dbname, host and port',
      );
    });
  const [{ version = '', collate = '', ctype = '' } = {}] = rows;
  requireVersion('PostgreSQL', minimumVersion, version);
  if (allowUnsafeLocale || (collate === 'C' && ctype === 'C')) return;
  throw new ConfigurationError(
    'database.allow_unsafe_locale',
    `the database has COLLATE '${collate}' and CTYPE '${ctype}', which can corrupt its indexes`,
    "make it anew with LC_COLLATE='C' LC_CTYPE='C' TEMPLATE template0, or set this to true at your own risk",
  );
}
