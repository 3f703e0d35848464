/** Database settings. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

export type DatabaseConfig = SqliteConfig | PostgresConfig;

type SqliteConfig = { name: 'sqlite3'; file: string; synchronous?: Synchronous };

/** SQLite's `pragma synchronous`. */
export type Synchronous = 'normal' | 'full';

/** Times are in milliseconds. */
export type PostgresConfig = {
  /** Synapse's name for PostgreSQL. */
  name: 'psycopg2';
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  host: string | undefined;
  port: number | undefined;
  /** Further hosts, in the order in which they are tried. */
  others: readonly Pick<PostgresConfig, 'host' | 'port'>[];
  applicationName: string;
  /** Command-line options for each connection, such as `-c statement_timeout=10s`. */
  options: string | undefined;
  /** Maximum number of open connections. */
  poolSize: number;
  /** How long to wait for a free connection. */
  queueTimeout: number;
  /** Connection timeout; 0 for none. */
  connectTimeout: number;
  /** Idle time before the first TCP keepalive; undefined for no keepalives. */
  keepAliveIdle: number | undefined;
  tls: PostgresTls;
  allowUnsafeLocale: boolean;
};

/** As in libpq. */
type PostgresTls = {
  mode: 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  /** PEM files; the first may be `system`. */
  rootCertificate: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
};

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** Named as in Synapse's `database.args` and libpq. */
const Arguments = Type.Object(
  {
    database: Type.Optional(
      Type.String({
        description: 'SQLite: database file, relative to the data directory; `homeserver.db` if not set',
      }),
    ),
    synchronous: Type.Enum(['normal', 'full'], {
      default: 'normal',
      description:
        'SQLite: `full` syncs every commit to disk; with `normal` a power cut may lose the last commits, never corrupts',
    }),
    user: Type.Optional(Type.String({ description: 'PostgreSQL: user name' })),
    password: Type.Optional(Type.String({ description: 'PostgreSQL: password' })),
    dbname: Type.Optional(Type.String({ description: 'PostgreSQL: database name' })),
    host: Type.Optional(
      Type.String({
        description: 'PostgreSQL: host, or several separated by commas; the one that accepts writes is used',
      }),
    ),
    port: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 1, maximum: 65_535 }),
          Type.String({ pattern: '^[1-9]\\d{0,4}(,[1-9]\\d{0,4})*$' }),
        ],
        {
          title: 'a whole number from 1 to 65535, or several, comma-separated',
          description: 'PostgreSQL: port; one for all hosts, or one per host',
        },
      ),
    ),
    target_session_attrs: Type.Optional(
      Type.Enum(['any', 'read-write', 'primary'], {
        description: 'PostgreSQL: no effect; the host that accepts writes is always used',
      }),
    ),
    sslmode: Type.Optional(
      Type.Enum(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'], {
        description: 'PostgreSQL: TLS mode as in libpq, `disable` to `verify-full`; `prefer` if not set',
      }),
    ),
    sslrootcert: text('PostgreSQL: root certificate that verifies the server, or `system`'),
    sslcert: text('PostgreSQL: client certificate'),
    sslkey: text('PostgreSQL: private key of the client certificate, readable by its owner only'),
    options: text(
      'PostgreSQL: connection options that override the defaults: ' +
        '`-c statement_timeout=15s -c lock_timeout=1s -c idle_in_transaction_session_timeout=30s -c idle_session_timeout=0`',
    ),
    application_name: Type.String({
      default: 'gatehouse',
      description: 'PostgreSQL: name shown in `pg_stat_activity`',
    }),
    connect_timeout: Type.Integer({
      minimum: 0,
      maximum: 3600,
      default: 5,
      description: 'PostgreSQL: connection timeout in seconds; 0 for none',
    }),
    keepalives: Type.Integer({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'PostgreSQL: TCP keepalives, 1 or 0',
    }),
    keepalives_idle: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      default: 30,
      description: 'PostgreSQL: idle seconds before the first keepalive',
    }),
    cp_min: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'PostgreSQL: no effect; connections are opened on demand',
      }),
    ),
    cp_max: Type.Integer({
      minimum: 1,
      default: 10,
      description: 'PostgreSQL: maximum connections in the pool',
    }),
    cp_wait: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 5,
      description: 'PostgreSQL: seconds that a request waits for a free connection',
    }),
  },
  { default: {}, additionalProperties: true },
);

export const database = section(
  {
    database: Type.Object(
      {
        name: Type.Enum(['sqlite3', 'psycopg2'], {
          default: 'sqlite3',
          description: '`sqlite3`, or `psycopg2` for PostgreSQL',
        }),
        args: Arguments,
        allow_unsafe_locale: Type.Boolean({
          default: false,
          description: "PostgreSQL: allows a database whose locale isn't C",
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  ({ database: { name, args, allow_unsafe_locale: allowUnsafeLocale } }, { dataDir }) => ({
    database:
      name === 'sqlite3' ? sqlite(args, dataDir) : { name, ...postgres(args, dataDir), allowUnsafeLocale },
  }),
);

type Arguments = Type.Static<typeof Arguments>;

function sqlite(
  { database: file = 'homeserver.db', synchronous }: Arguments,
  dataDir: string,
): DatabaseConfig {
  return { name: 'sqlite3', file: file === ':memory:' ? file : resolve(dataDir, file), synchronous };
}

function postgres(args: Arguments, dataDir: string): Omit<PostgresConfig, 'name' | 'allowUnsafeLocale'> {
  refuseUnknownSafety(args);
  return {
    user: args.user,
    password: args.password,
    database: args.dbname ?? args.database,
    ...hostsOf(args),
    applicationName: args.application_name,
    options: args.options,
    poolSize: args.cp_max,
    queueTimeout: args.cp_wait * 1000,
    connectTimeout: args.connect_timeout * 1000,
    keepAliveIdle: args.keepalives === 0 ? undefined : args.keepalives_idle * 1000,
    tls: tlsOf(args, dataDir),
  };
}

/** Pairs hosts with ports, which libpq writes as two lists. @throws ConfigurationError if they don't match */
function hostsOf(args: Arguments): Pick<PostgresConfig, 'host' | 'port' | 'others'> {
  const hosts = args.host?.split(',') ?? [undefined];
  const ports = args.port === undefined ? [undefined] : String(args.port).split(',').map(Number);
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new ConfigurationError(
      'database.args.port',
      `${ports.length} ports for ${hosts.length} hosts`,
      'set one port for all hosts or one for each',
    );
  }
  const [first, ...others] = hosts.map((host, index) => {
    const port = ports[ports.length > 1 ? index : 0];
    if (host === '' || (port ?? 0) > 65_535) {
      throw new ConfigurationError(
        host === '' ? 'database.args.host' : 'database.args.port',
        host === '' ? 'contains an empty host name' : 'contains an invalid port',
        'use comma-separated host names, and ports from 1 to 65535',
      );
    }
    return { host, port };
  });
  return { host: first?.host, port: first?.port, others };
}

/** Refuses libpq's security settings that aren't supported: ignoring one would weaken the connection silently. */
function refuseUnknownSafety(args: Arguments): void {
  const safety = /^(ssl|channel_binding$|gssencmode$|require_auth$|requiressl$)/;
  const unknown = Object.keys(args).find((name) => safety.test(name) && !(name in Arguments.properties));
  if (unknown === undefined) return;
  throw new ConfigurationError(
    `database.args.${unknown}`,
    'unsupported security setting; the connection would be less secure than configured',
    'use sslmode, sslrootcert, sslcert and sslkey',
  );
}

/** @throws ConfigurationError if a required setting is missing */
function tlsOf({ sslmode, sslrootcert, sslcert, sslkey }: Arguments, dataDir: string): PostgresTls {
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(dataDir, file));
  const mode = sslmode ?? (sslrootcert === 'system' ? 'verify-full' : 'prefer');
  if (mode.startsWith('verify') && sslrootcert === undefined) {
    throw new ConfigurationError(
      'database.args.sslrootcert',
      `sslmode '${mode}' requires a root certificate`,
      'set the root certificate file',
    );
  }
  // Anyone can get a certificate that the system trusts, so the host name has to be checked as well.
  if (sslrootcert === 'system' && mode !== 'verify-full') {
    throw new ConfigurationError(
      'database.args.sslmode',
      `'${mode}' is too weak for sslrootcert 'system'`,
      "use 'verify-full'",
    );
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new ConfigurationError(
      `database.args.${sslcert === undefined ? 'sslcert' : 'sslkey'}`,
      'sslcert and sslkey must be set together',
      'set both or neither',
    );
  }
  return {
    mode,
    rootCertificate: sslrootcert === 'system' ? 'system' : path(sslrootcert),
    certificate: path(sslcert),
    key: path(sslkey),
  };
}
