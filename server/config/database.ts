import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type DatabaseConfig, type PostgresTls, sslModes } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Settings } from './settings.ts';

/** `database.args` for PostgreSQL, by the names that libpq and the reference homeserver have for them. */
const PostgresArguments = Type.Object(
  {
    user: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    dbname: Type.Optional(Type.String()),
    database: Type.Optional(Type.String()),
    host: Type.Optional(Type.String()),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    application_name: Type.Optional(Type.String()),
    options: Type.Optional(Type.String()),
    /** Seconds; 0 for as long as it takes. */
    connect_timeout: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
    keepalives: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    /** Seconds. */
    keepalives_idle: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    sslmode: Type.Optional(Type.Union(sslModes.map((mode) => Type.Literal(mode)))),
    sslrootcert: Type.Optional(Type.String({ minLength: 1 })),
    sslcert: Type.Optional(Type.String({ minLength: 1 })),
    sslkey: Type.Optional(Type.String({ minLength: 1 })),
    cp_max: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Seconds that a request waits for a free connection. The reference homeserver has no name for it. */
    cp_wait: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  },
  { additionalProperties: true },
);
type PostgresArguments = Static<typeof PostgresArguments>;

/** What makes a connection safer, and would be left out without a word. */
const unknownSafety = /^(ssl|channel_binding$|gssencmode$|require_auth$|requiressl$)/;

const defaultPoolSize = 10;
/** In seconds. */
const defaultConnectTimeout = 5;
const defaultWait = 5;
const defaultKeepAliveIdle = 30;

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
  for (const name of Object.keys(args)) {
    if (!unknownSafety.test(name) || name in PostgresArguments.properties) continue;
    throw new ConfigurationError(
      `database.args.${name}`,
      'this server has no such setting, and the connection would be less safe than it says',
      'use sslmode, sslrootcert, sslcert and sslkey',
    );
  }
  return {
    name,
    user: args.user,
    password: args.password,
    database: args.dbname ?? args.database,
    host: args.host,
    port: args.port,
    applicationName: args.application_name ?? 'gatehouse',
    options: args.options,
    poolSize: args.cp_max ?? defaultPoolSize,
    queueTimeout: (args.cp_wait ?? defaultWait) * 1000,
    connectTimeout: (args.connect_timeout ?? defaultConnectTimeout) * 1000,
    keepAliveIdle: args.keepalives === 0 ? undefined : (args.keepalives_idle ?? defaultKeepAliveIdle) * 1000,
    tls: tlsOf(args, dataDir),
    allowUnsafeLocale,
  };
}

/** @throws ConfigurationError where something is left out that libpq needs, too */
function tlsOf(args: PostgresArguments, dataDir: string): PostgresTls {
  const { sslrootcert, sslcert, sslkey } = args;
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(dataDir, file));
  // The system's certificates are no use where any of their owners may pretend to be the database.
  const mode = args.sslmode ?? (sslrootcert === 'system' ? 'verify-full' : 'prefer');
  if (mode.startsWith('verify') && sslrootcert === undefined) {
    throw new ConfigurationError(
      'database.args.sslrootcert',
      `sslmode '${mode}' has nothing to verify with`,
      'name the file with the root certificate',
    );
  }
  if (sslrootcert === 'system' && mode !== 'verify-full') {
    throw new ConfigurationError(
      'database.args.sslmode',
      `'${mode}' is too weak for sslrootcert 'system'`,
      "write 'verify-full'",
    );
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new ConfigurationError(
      `database.args.${sslcert === undefined ? 'sslcert' : 'sslkey'}`,
      'a certificate and its key belong together',
      'name both or neither',
    );
  }
  return {
    mode,
    rootCertificate: sslrootcert === 'system' ? 'system' : path(sslrootcert),
    certificate: path(sslcert),
    key: path(sslkey),
  };
}
