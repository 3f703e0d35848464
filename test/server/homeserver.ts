/** A homeserver for one test: real HTTP on a free port, and a temporary data directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHomeserver, type Homeserver } from '../../server/app/homeserver.ts';
import { ensureUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import type { Config } from '../../server/platform/config/config.ts';
import type { Listener } from '../../server/platform/config/listeners.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import type { Clock } from '../../server/platform/core/clock.ts';
import { readJson } from '../../shared/read-json.ts';
import { makeDatabase, writeSqliteDatabase } from './database.ts';
import { fromMatrix, isTranslated, toMatrix } from './spelling.ts';

export type Reply = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  body: any;
  headers: Headers;
};

export type Caller = {
  userId: string;
  accessToken: string | undefined;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
};

export type TestHomeserver = Homeserver & {
  config: Config;
  /** Returns a client of the server: `guest` has no token, `admin` is a server admin. */
  as(person: string): Caller;
  /** Adds a user and returns its client; `as` also returns it from then on. */
  add(localpart: string): Promise<Caller>;
  /** Restarts the server on the same data. */
  restart(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

/** Listens on a free local port. */
export const localListener: Listener = {
  bindAddresses: ['127.0.0.1'],
  port: 0,
  trustsProxy: false,
  tls: undefined,
  settings: { port: 'listeners[0].port', bindAddresses: 'listeners[0].bind_addresses' },
};

const often = { perSecond: 1e6, burstCount: 1e6 };

/** Only the rate limit tests reach these limits. */
export const unlimited = {
  loginAddress: often,
  loginAccount: often,
  loginFailures: often,
  loginFailuresAnywhere: often,
  registration: often,
  message: often,
  reports: often,
  joins: often,
  invitesPerRoom: often,
  invitesPerUser: often,
  invitesPerIssuer: often,
  roomCreation: often,
  mediaCreation: often,
  profileChanges: often,
  accountData: often,
  keyRequests: often,
  presence: often,
  // This limit has no setting.
  wrongTokens: { perSecond: 10, burstCount: 1_500 },
};

type TestOptions = {
  config?: Partial<Config>;
  clock?: Clock;
  log?: (line: string) => void;
  whenClaimIsLost?: (reason: string) => void;
};

/** Starts a homeserver with the users alice, bob and carol, and the server admin `admin`. */
export async function startHomeserver({
  config: overrides,
  ...options
}: TestOptions = {}): Promise<TestHomeserver> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const database = await makeDatabase();
  const config = {
    ...(await loadConfig({ dataDir, port: 0 })),
    console: false,
    rateLimits: unlimited,
    ...(database && { database: database.config }),
    ...overrides,
  };
  if (config.database.name === 'sqlite3' && config.database.file === join(dataDir, 'homeserver.db')) {
    await writeSqliteDatabase(config.database.file);
  }
  let homeserver = await createHomeserver(config, options);
  await homeserver.start();

  const callers = new Map([['guest', caller('', undefined)]]);
  for (const localpart of ['alice', 'bob', 'carol', 'admin']) await add(localpart);

  async function add(localpart: string): Promise<Caller> {
    // A repeated test finds its user.
    const { userId } = await ensureUser(homeserver.services, { localpart, admin: localpart === 'admin' });
    const { accessToken } = await openSession(homeserver.services, userId);
    const added = caller(userId, accessToken);
    callers.set(localpart, added);
    return added;
  }

  function caller(userId: string, accessToken: string | undefined): Caller {
    const send = (method: string) => (path: string, body?: unknown) =>
      call(homeserver.url, method, path, accessToken, body);
    return {
      userId,
      accessToken,
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      delete: send('DELETE'),
    };
  }

  return {
    get url() {
      return homeserver.url;
    },
    get urls() {
      return homeserver.urls;
    },
    get metricsUrl() {
      return homeserver.metricsUrl;
    },
    get services() {
      return homeserver.services;
    },
    config,
    start: () => homeserver.start(),
    stop: () => homeserver.stop(),
    as(person) {
      const found = callers.get(person);
      if (!found) throw new Error(`nobody is called ${person} here`);
      return found;
    },
    add,
    async restart() {
      await homeserver.stop();
      homeserver = await createHomeserver(config, options);
      await homeserver.start();
    },
    async remove() {
      await homeserver.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/**
 * Sends one request. Strings are sent unchanged, other bodies as JSON.
 *
 * @param translated sends vendor paths in the matrix dialect if this run uses it
 */
export async function call(
  url: string,
  method: string,
  path: string,
  accessToken?: string,
  body?: unknown,
  { translated = true } = {},
): Promise<Reply> {
  const [spell, read] = translated && isTranslated(path) ? [toMatrix, fromMatrix] : [asItIs, asItIs];
  const response = await fetch(url + spell(path), {
    method,
    headers: {
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: spell(typeof body === 'string' ? body : JSON.stringify(body)) }),
  });
  const text = read(await response.text());
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? readJson(text) : text, headers: response.headers };
}

const asItIs = (text: string) => text;
