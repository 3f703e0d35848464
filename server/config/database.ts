import { resolve } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DatabaseConfig } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Settings } from './settings.ts';

/** `database.args` for PostgreSQL, by the names that its driver has on the reference homeserver. */
const PostgresArguments = Type.Object(
  {
    user: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    dbname: Type.Optional(Type.String()),
    database: Type.Optional(Type.String()),
    host: Type.Optional(Type.String()),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    cp_max: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: true },
);

const defaultPoolSize = 10;

/** Which database the server uses. @throws ConfigurationError */
export function databaseConfig({ database }: Settings, dataDir: string): DatabaseConfig {
  const { name = 'sqlite3', args = {}, allow_unsafe_locale: allowUnsafeLocale = false } = database ?? {};
  if (name === 'sqlite3') {
    const file = args.database ?? 'homeserver.db';
    return { name, file: file === ':memory:' ? file : resolve(dataDir, file) };
  }
  if (name !== 'psycopg2') {
    throw new ConfigurationError(
      'database.name',
      `'${name}' is not a database that this server has`,
      "write 'sqlite3' or 'psycopg2'",
    );
  }
  const [problem] = Value.Errors(PostgresArguments, args);
  if (!Value.Check(PostgresArguments, args)) {
    throw new ConfigurationError(
      `database.args${problem?.instancePath.replaceAll('/', '.') ?? ''}`,
      `it ${problem?.message ?? 'is not valid'}`,
      'write user, password, dbname, host and port of a PostgreSQL database',
    );
  }
  return {
    name,
    user: args.user,
    password: args.password,
    database: args.dbname ?? args.database,
    host: args.host,
    port: args.port,
    poolSize: args.cp_max ?? defaultPoolSize,
    allowUnsafeLocale,
  };
}
