/** The configuration as the server uses it: complete, checked, with every path absolute. */
import type { DialectName } from '../../shared/dialect.ts';

export type Config = {
  /** The part of every user and room identifier after the colon. */
  serverName: string;
  dataDir: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  database: DatabaseConfig;
  signingKeyPath: string;
  mediaStorePath: string;
  /** The largest upload, in bytes. */
  maxUploadSize: number;
  apiDialects: DialectName[];
  registration: {
    enabled: boolean;
    /** Lets administrators' tools register users over HTTP; off where it is undefined. */
    sharedSecret: string | undefined;
  };
  jwt: JwtConfig | undefined;
  /** Whether the console is served at /console/. */
  console: boolean;
};

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

/** Interface: "Authentication" 2 and "JWT claims". */
export type JwtConfig = {
  /** A shared secret for HMAC algorithms, a public key in PEM for the others. */
  secret: string;
  algorithm: string;
  subjectClaim: string;
  displayNameClaim: string | undefined;
  issuer: string | undefined;
  audiences: string[] | undefined;
};
