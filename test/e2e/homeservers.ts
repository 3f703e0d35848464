/**
 * The homeservers to test the console on: the bundled one in the tested dialect, and a real Synapse if available.
 * `REFERENCE_HOMESERVER` names a command: `<command> start` prints the URL of a running server, and `<command> admin
 * NAME PASSWORD` creates an admin there. `REFERENCE_SYNAPSE` names a command that runs Synapse with the arguments
 * that follow, such as `python3 -m synapse.app.homeserver`. That one delegates accounts to a stand-in for Matrix
 * Authentication Service.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { vi } from 'vitest';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { type Dialect, type DialectName, dialects } from '../../shared/dialect.ts';
import { freePort } from '../free-port.ts';
import { startMas } from '../mas-stand-in.ts';
import { testedDialect } from '../renderer/tested-dialect.ts';
import { call, localListener, type Reply, startHomeserver } from '../server/homeserver.ts';

export type Homeserver = AsyncDisposable & {
  url: string;
  dialect: Dialect;
  /** URL of the console. Synapse doesn't serve one. */
  consoleUrl: string;
  admin: Person;
  /** Creates a user with a unique name. */
  person(name: string): Promise<Person>;
  makeAdmin(person: Person): Promise<void>;
  /** Submits the connect form. Its address is already filled in. */
  signIn(page: Page, person: Person): Promise<void>;
};

export type Person = {
  userId: string;
  password: string;
  /** Paths without the dialect's prefix: `/client/v3/…`. */
  chat(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Paths below the admin API's prefix: `/v1/…`. */
  administration(method: string, path: string, body?: unknown): Promise<Reply>;
};

type HomeserverKind = {
  name: string;
  missing?: string;
  /** Reason why this server doesn't support registration tokens. */
  withoutTokens?: string;
  start(): Promise<Homeserver>;
};

/** Synapse has only one dialect and is tested once. */
const { REFERENCE_HOMESERVER: reference, REFERENCE_SYNAPSE: synapse } =
  testedDialect === 'matrix' ? process.env : {};
const run = promisify(execFile);

export const homeservers: HomeserverKind[] = [
  { name: `the bundled server, ${testedDialect} dialect`, start: () => startBundled(testedDialect) },
  {
    name: 'a real Synapse',
    ...(!reference && { missing: 'REFERENCE_HOMESERVER names no command that starts one' }),
    start: startReference,
  },
  {
    name: 'a real Synapse with MAS',
    ...(!synapse && { missing: 'REFERENCE_SYNAPSE names no command that runs one' }),
    withoutTokens: 'its tokens are those of Matrix Authentication Service',
    start: startDelegating,
  },
];

async function startBundled(name: DialectName): Promise<Homeserver> {
  const server = await startHomeserver({
    config: { console: true, apiDialects: [name], listeners: [localListener] },
  });
  const password = randomBytes(12).toString('hex');
  await createUser(server.services, { localpart: 'auditor', password, admin: true });
  return homeserver(server.url, dialects[name], `${server.url}/console`, { name: 'auditor', password }, () =>
    server.remove(),
  );
}

/** Started once per run, because the command takes a while. */
let referenceUrl: Promise<string> | undefined;

async function startReference(): Promise<Homeserver> {
  if (!reference) throw new Error('there is no reference homeserver');
  referenceUrl ??= run(reference, ['start'], { timeout: 600_000 }).then(
    ({ stdout }) => /https?:\/\/[\w.:-]+/.exec(stdout)?.[0] ?? '',
  );
  const url = await referenceUrl;
  const [name, password] = [`auditor${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
  await run(reference, ['admin', name, password]);
  const page = await startBundled('matrix');
  return homeserver(url, dialects.matrix, page.consoleUrl, { name, password }, () =>
    page[Symbol.asyncDispose](),
  );
}

/** Starts a new Synapse that delegates accounts and sessions to a stand-in. */
async function startDelegating(): Promise<Homeserver> {
  if (!synapse) throw new Error('there is no Synapse');
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-synapse-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const mas = await startMas({ homeserver: url });
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify(synapseConfig(dataDir, url, mas)));
  const [command = '', ...first] = synapse.split(' ');
  await run(command, [...first, '-c', file, '--generate-keys']);
  const process = spawn(command, [...first, '-c', file], { stdio: 'ignore' });
  const ended = once(process, 'exit');
  const page = await startBundled('matrix');
  // Synapse creates its database before it listens.
  await vi.waitFor(() => fetch(`${url}/_matrix/client/versions`), { timeout: 120_000 });

  async function person(name: string, ...scopes: string[]): Promise<Person> {
    const device = `urn:matrix:client:device:${randomBytes(8).toString('hex')}`;
    const token = await mas.issue(name, ['urn:matrix:client:api:*', device, ...scopes].join(' '));
    return caller(url, dialects.matrix, { userId: `@${name}:localhost`, password: '', token });
  }
  const localpart = ({ userId }: Person) => userId.slice(1, userId.indexOf(':'));
  const makeAdmin = async (one: Person) => {
    mas.admin.addUser(localpart(one)).attributes.admin = true;
  };
  const admin = await person('auditor', 'urn:synapse:admin:*');
  await makeAdmin(admin);
  return {
    url,
    dialect: dialects.matrix,
    consoleUrl: page.consoleUrl,
    admin,
    makeAdmin,
    person: (name) => person(`${name}${randomBytes(4).toString('hex')}`),
    async signIn(console, one) {
      mas.user.username = localpart(one);
      await console.getByRole('button', { name: 'Continue in browser' }).click();
    },
    async [Symbol.asyncDispose]() {
      process.kill('SIGTERM');
      await ended;
      await page[Symbol.asyncDispose]();
      await mas.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** JSON is YAML. */
function synapseConfig(dataDir: string, url: string, mas: { url: string; secret: string }) {
  const unlimited = { per_second: 1e5, burst_count: 1e5 };
  return {
    server_name: 'localhost',
    listeners: [
      {
        port: Number(new URL(url).port),
        bind_addresses: ['127.0.0.1'],
        type: 'http',
        resources: [{ names: ['client', 'keys'] }],
      },
    ],
    database: { name: 'sqlite3', args: { database: join(dataDir, 'homeserver.db') } },
    media_store_path: join(dataDir, 'media'),
    signing_key_path: join(dataDir, 'signing.key'),
    report_stats: false,
    trusted_key_servers: [],
    // A new database has many background updates, and Synapse pauses between them.
    background_updates: { sleep_enabled: false },
    matrix_authentication_service: { enabled: true, endpoint: `${mas.url}/`, secret: mas.secret },
    rc_message: unlimited,
    rc_room_creation: unlimited,
    rc_reports: unlimited,
    rc_joins: { local: unlimited, remote: unlimited },
  };
}

const caller = (
  url: string,
  dialect: Dialect,
  { userId, password, token }: { userId: string; password: string; token: string },
): Person => {
  const send = (prefix: string) => (method: string, path: string, content?: unknown) =>
    call(url, method, prefix + path, token, content);
  return {
    userId,
    password,
    chat: send(dialect.chat),
    administration: send(`${dialect.administration}/admin`),
  };
};

async function homeserver(
  url: string,
  dialect: Dialect,
  consoleUrl: string,
  administrator: { name: string; password: string },
  end: () => PromiseLike<void>,
): Promise<Homeserver> {
  async function signIn(name: string, password: string): Promise<Person> {
    const { body } = await call(url, 'POST', `${dialect.chat}/client/v3/login`, undefined, {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: name },
      password,
    });
    const { user_id: userId, access_token: token } = body;
    return caller(url, dialect, { userId, password, token });
  }

  const admin = await signIn(administrator.name, administrator.password);
  const serverName = admin.userId.split(':').slice(1).join(':');
  return {
    url,
    dialect,
    consoleUrl,
    admin,
    async person(name) {
      const [localpart, password] = [
        `${name}${randomBytes(4).toString('hex')}`,
        randomBytes(12).toString('hex'),
      ];
      await admin.administration('PUT', `/v2/users/@${localpart}:${serverName}`, { password });
      return signIn(localpart, password);
    },
    async makeAdmin({ userId }) {
      const path = `/v2/users/${encodeURIComponent(userId)}`;
      await admin.administration('PUT', path, { admin: true });
    },
    async signIn(page, { userId, password }) {
      await page.getByLabel('Username').fill(userId);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    [Symbol.asyncDispose]: end,
  };
}
