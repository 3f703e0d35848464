/** The configuration as the server uses it: complete, checked, with every path absolute. */
import type { DialectName } from '../../shared/dialect.ts';

export type Config = {
  /** The part of every user and room identifier after the colon. */
  serverName: string;
  dataDir: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Whether a proxy in front says who calls, in `X-Forwarded-For`. */
  trustProxy: boolean;
  /** Where figures for Prometheus are; nowhere where it is undefined. */
  metrics: ListenAddress | undefined;
  database: DatabaseConfig;
  signingKeyPath: string;
  mediaStorePath: string;
  /** The largest upload, in bytes. */
  maxUploadSize: number;
  /** Pictures with more pixels get no thumbnail. */
  maxImagePixels: number;
  /** Whether what is uploaded from now on is for signed-in users only. */
  enableAuthenticatedMedia: boolean;
  apiDialects: DialectName[];
  registration: {
    enabled: boolean;
    /** Whether people need a registration token. */
    requiresToken: boolean;
    /** Lets administrators' tools register users over HTTP; off where it is undefined. */
    sharedSecret: string | undefined;
  };
  jwt: JwtConfig | undefined;
  appServices: AppServiceConfig[];
  /** Whether application services may send their token as a query parameter. */
  useAppServiceLegacyAuthorization: boolean;
  /** Where access tokens come from, if not from this server. */
  externalAuthentication: { endpoint: string; secret: string } | undefined;
  /** Whether who is logged in may ask for a token to log in elsewhere; not where it is undefined. */
  loginViaExistingSession: { requireUiAuth: boolean; tokenTimeoutMs: number } | undefined;
  rateLimits: RateLimits;
  caches: CacheConfig;
  roomDirectory: RoomDirectoryConfig;
  /** What of their profiles users may change themselves; administrators may change all of it. */
  profiles: { mayChangeDisplayName: boolean; mayChangeAvatarUrl: boolean };
  /** Whether the console is served at /console/. */
  console: boolean;
  /** What the administrator should know of the settings; each is said once, at the start. */
  warnings: string[];
};

export type ListenAddress = { host: string; port: number };

export type RoomDirectoryConfig = {
  /** Who may list rooms in the public directory; nobody but administrators where no rule matches. */
  publicationRules: DirectoryRule[];
  aliasCreationRules: DirectoryRule[];
};

/** Patterns in which `*` stands for any text and `?` for one character. */
export type DirectoryRule = { userId: string; alias: string; roomId: string; action: 'allow' | 'deny' };

export type CacheConfig = {
  /** Multiplies the size of every cache. */
  globalFactor: number;
  /** How long an entry stays that nobody asks for, in milliseconds; for good where it is undefined. */
  entryTtlMs: number | undefined;
};

/** How often something may be done: a number at once, and then so many a second. */
export type RateLimit = { perSecond: number; burstCount: number };

export type RateLimits = {
  /** Logins from one address. */
  loginAddress: RateLimit;
  /** Logins to one account. */
  loginAccount: RateLimit;
  /** Failed logins to one account from one network. */
  loginFailures: RateLimit;
  /** Failed logins to one account, from all networks together. */
  loginFailuresAnywhere: RateLimit;
  /** Registrations from one address. */
  registration: RateLimit;
  /** Events that one user sends. */
  message: RateLimit;
  /** Reports that one user files. */
  reports: RateLimit;
  /** Joins and knocks of one user. */
  joins: RateLimit;
  /** Invitations into one room. */
  invitesPerRoom: RateLimit;
  /** Invitations that one user gets. */
  invitesPerUser: RateLimit;
  /** Invitations that one user sends. */
  invitesPerIssuer: RateLimit;
  /** Rooms that one user makes. */
  roomCreation: RateLimit;
  /** Uploads of one user, and addresses for uploads. */
  mediaCreation: RateLimit;
  /** Changes of a display name or picture by one user. */
  profileChanges: RateLimit;
  /** Changes of one user's account data and tags. */
  accountData: RateLimit;
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

/** An application service, from its registration file. Interface: "Authentication" 4. */
export type AppServiceConfig = {
  id: string;
  /** What it sends with its requests. */
  token: string;
  /** The user that it is when it speaks for itself. */
  senderUserId: string;
  /** The users that it is for, as regular expressions on whole user identifiers. */
  userNamespaces: { pattern: string; exclusive: boolean }[];
};
