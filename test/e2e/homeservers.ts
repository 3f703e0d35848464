/**
 * The homeservers that the console administers: the bundled one in each dialect, and a real Synapse where there
 * is one. `REFERENCE_HOMESERVER` names a command: `<command> start` prints the address of a running server, and
 * `<command> admin NAME PASSWORD` makes an administrator there.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Dialect, type DialectName, dialects } from '../../shared/dialect.ts';
import { gatehouse, serve } from '../server/gatehouse.ts';
import { call, type Reply } from '../server/homeserver.ts';

export type Homeserver = AsyncDisposable & {
  url: string;
  dialect: Dialect;
  /** Where the console is served: a Synapse has none. */
  consoleUrl: string;
  admin: Person;
  /** Someone new, whom no other run has seen. */
  person(name: string): Promise<Person>;
};

export type Person = {
  userId: string;
  password: string;
  /** Paths without the dialect's prefix: `/client/v3/…`. */
  chat(method: string, path: string, body?: unknown): Promise<Reply>;
  /** `/v1/…` under the administration. */
  administration(method: string, path: string, body?: unknown): Promise<Reply>;
};

export type HomeserverKind = { name: string; missing?: string; start(): Promise<Homeserver> };

const reference = process.env.REFERENCE_HOMESERVER;
const run = promisify(execFile);

export const homeservers: HomeserverKind[] = [
  { name: 'the bundled server, vendor dialect', start: () => startBundled('vendor') },
  { name: 'the bundled server, matrix dialect', start: () => startBundled('matrix') },
  {
    name: 'a real Synapse',
    ...(!reference && { missing: 'REFERENCE_HOMESERVER names no command that starts one' }),
    start: startReference,
  },
];

async function startBundled(name: DialectName): Promise<Homeserver> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-reference-'));
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, `api_dialects: [${name}]\n`);
  const password = randomBytes(12).toString('hex');
  await gatehouse('users', 'add', 'auditor', '--password', password, '--admin', '--data-dir', dataDir);
  const server = await serve('--config', file, '--data-dir', dataDir);
  return homeserver(
    server.url,
    dialects[name],
    `${server.url}/console`,
    { name: 'auditor', password },
    async () => {
      await server.end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  );
}

/** Once a run: to make sure that it is there takes it a while. */
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
    const send = (prefix: string) => (method: string, path: string, content?: unknown) =>
      call(url, method, prefix + path, token, content);
    return {
      userId,
      password,
      chat: send(dialect.chat),
      administration: send(`${dialect.administration}/admin`),
    };
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
    [Symbol.asyncDispose]: end,
  };
}
