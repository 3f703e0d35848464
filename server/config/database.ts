/** Which database the server uses. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { section } from './section.ts';

export type DatabaseConfig =
  | { name: 'sqlite3'; file: string }
  | {
      /** PostgreSQL, by the name that administrators of this kind of server know. */
      name: 'psycopg2';
      user: string | undefined;
      password: string | undefined;
      database: string | undefined;
      host: string | undefined;
      port: number | undefined;
      /** How many connections are open at the most. */
      poolSize: number;
      allowUnsafeLocale: boolean;
    };

/** By the names that the drivers have on the reference homeserver. */
const Arguments = Type.Object(
  {
    database: Type.Optional(
      Type.String({
        description: 'SQLite: the file, `homeserver.db` by default; relative to the data directory',
      }),
    ),
    user: Type.Optional(Type.String({ description: 'PostgreSQL: who connects' })),
    password: Type.Optional(Type.String({ description: 'PostgreSQL: the password' })),
    dbname: Type.Optional(Type.String({ description: "PostgreSQL: the database's name" })),
    host: Type.Optional(Type.String({ description: 'PostgreSQL: where it runs' })),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'PostgreSQL: the port that it listens on' }),
    ),
    cp_max: Type.Integer({
      minimum: 1,
      default: 10,
      description: 'PostgreSQL: how many connections are open at the most',
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
          description: 'whether a PostgreSQL database may sort by another locale than C',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  ({ database: { name, args, allow_unsafe_locale: allowUnsafeLocale } }, { dataDir }) => ({
    database: name === 'sqlite3' ? sqlite(args, dataDir) : { name, ...postgres(args), allowUnsafeLocale },
  }),
);

type Arguments = Type.Static<typeof Arguments>;

function sqlite({ database: file = 'homeserver.db' }: Arguments, dataDir: string): DatabaseConfig {
  return { name: 'sqlite3', file: file === ':memory:' ? file : resolve(dataDir, file) };
}

const postgres = ({
  user,
  password,
  dbname,
  database: otherName,
  host,
  port,
  cp_max: poolSize,
}: Arguments) => ({
  user,
  password,
  database: dbname ?? otherName,
  host,
  port,
  poolSize,
});
