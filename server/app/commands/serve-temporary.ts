/** `gatehouse serve --temporary`: a server for tests and trials, whose data is deleted on exit. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { World } from '../../../shared/workbench/seed.ts';
import { ensureUser } from '../../identity/accounts/create-user.ts';
import { listLocalparts } from '../../identity/accounts/user-store.ts';
import { openSession } from '../../identity/sessions/sessions.ts';
import type { Config, Settings } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { withoutRateLimits } from '../../platform/config/rate-limits.ts';
import { createDirectory } from '../../platform/core/files.ts';
import { ignoreBrokenPipe, isRunning } from '../../platform/core/process.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import { isConsoleBuilt } from '../console-routes.ts';
import type { Services } from '../services.ts';
import { startTemporaryServer, type TemporaryServer } from '../temporary-server.ts';

export type TemporaryOptions = {
  name?: string;
  /** Print one line of JSON instead of text. */
  json?: boolean;
  /** Also print the secrets for registration and JWT login. */
  secrets?: boolean;
  /** File with users, rooms and messages to start with. */
  seed?: string;
  /** Further users. */
  user: readonly string[];
  /** Stop when standard input closes, as it does when the program that opened it ends. */
  untilStdinEnds?: boolean;
};

/**
 * Serves on a free port until it is stopped, and prints an admin's token. Deletes the data of killed temporary servers first.
 *
 * @throws ConfigurationError
 */
export async function serveTemporarily(
  source: Omit<ConfigSource, 'dataDir'>,
  options: TemporaryOptions,
): Promise<void> {
  ignoreBrokenPipe();
  if (options.untilStdinEnds) stopWithStdin();
  const parent = parentDirectory();
  deleteAbandoned(parent);
  const name = options.name ?? `server-${process.pid}`;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
    throw new ConfigurationError(
      '--name',
      `invalid name '${name}'`,
      'use up to 40 characters of a-z, 0-9 and -',
    );
  }
  const dataDir = join(parent, `${process.pid}-${name}`);
  mkdirSync(dataDir, { mode: 0o700 });
  // Worker threads may still create files.
  const deleteData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 1 });
  process.on('exit', deleteData);

  const config = withSecrets(
    await loadConfig({ ...source, dataDir, port: source.port ?? 0, complete: forTests }),
  );
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`);
  let userId = '';
  let accessToken = '';
  let world: World | undefined;
  const server = await startTemporaryServer(config, async (services) => {
    ({ userId, accessToken } = await openAdministratorSession(services));
    world = await addStartingData(services, options);
  });
  stopOnSignal(server);
  const { url } = server;
  const facts = { name, url, server_name: config.serverName, user_id: userId, access_token: accessToken };
  const all = {
    ...facts,
    ...(config.console && isConsoleBuilt() && { console_url: `${url}/console/` }),
    data_dir: dataDir,
    pid: process.pid,
    ...world,
    ...(options.secrets && secretsOf(config)),
  };
  process.stdout.write(
    options.json
      ? `${JSON.stringify(all)}\n`
      : Object.entries(all)
          .map(([label, value]) => `${label}: ${typeof value === 'object' ? JSON.stringify(value) : value}\n`)
          .join(''),
  );
}

async function addStartingData(
  services: Services,
  { seed: path, user: names }: TemporaryOptions,
): Promise<World | undefined> {
  if (path === undefined && names.length === 0) return undefined;
  const [{ checkSeed, readSeedFile }, { addSeed }] = await Promise.all([
    import('../../administration/testing/read-seed.ts'),
    import('../../administration/testing/add-seed.ts'),
  ]);
  if (path === undefined) return addSeed(services, checkSeed({}, { names }));
  const seed = await readSeedFile(path, { names, existing: await listLocalparts(services.db) });
  return addSeed(services, seed, dirname(resolve(path)));
}

/** The session doesn't expire: the test API couldn't be used after the time was advanced. */
async function openAdministratorSession(services: Services) {
  const { userId } = await ensureUser(services, {
    localpart: 'admin',
    displayName: 'Administrator',
    admin: true,
  });
  const { sessions } = services.config;
  const lasting = { ...sessions, lifetimeMs: undefined, plainTokenMs: undefined };
  return openSession({ ...services, config: { sessions: lasting } }, userId);
}

/** Ends this process as a signal would, at any time from now on. */
function stopWithStdin(): void {
  let isOver = false;
  const stop = () => {
    if (isOver) return;
    isOver = true;
    process.emit('SIGTERM', 'SIGTERM');
  };
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, stop);
  process.stdin.resume();
  // A failed start ends this process.
  (process.stdin as Partial<Socket>).unref?.();
}

function stopOnSignal(server: TemporaryServer): void {
  let isStopping = false;
  // A parent process may forward a signal that the terminal has sent as well.
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    void server.stop().then(() => process.exit());
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // The parent process has ended.
  process.once('disconnect', stop);
}

const registrationSettings = [
  'enable_registration',
  'enable_registration_without_verification',
  'registration_requires_token',
  'registrations_require_3pid',
  'enable_registration_captcha',
];

/** Opens registration and removes rate limits, unless the configuration sets them. */
const forTests = (written: Settings): Settings => ({
  ...(!registrationSettings.some((name) => Object.hasOwn(written, name)) && {
    enable_registration: true,
    enable_registration_without_verification: true,
  }),
  ...withoutRateLimits(written),
  ...written,
});

/** Enables registration by secret and JWT login, unless the configuration sets them. */
const withSecrets = (config: Config): Config => ({
  ...config,
  registration: {
    ...config.registration,
    sharedSecret: config.registration.sharedSecret ?? randomSecret(),
  },
  jwt:
    config.jwt ??
    (config.isJwtDisabled
      ? undefined
      : {
          secret: randomSecret(),
          algorithm: 'HS256',
          subjectClaim: 'sub',
          displayNameClaim: undefined,
          issuer: undefined,
          audiences: undefined,
        }),
});

/** A public key isn't a secret and can't sign tokens. */
const secretsOf = ({ registration, jwt }: Config) => ({
  registration_shared_secret: registration.sharedSecret,
  ...(jwt?.algorithm.startsWith('HS') && { jwt_secret: jwt.secret }),
});

/** A private directory of this user: others may write to the system's temporary directory. */
function parentDirectory(): string {
  const { uid, username } = userInfo();
  const directory = join(tmpdir(), `gatehouse-temporary-${uid === -1 ? username : uid}`);
  createDirectory(directory, 0o700);
  const found = statSync(directory);
  if (uid !== -1 && (found.uid !== uid || (found.mode & 0o077) !== 0)) {
    throw new ConfigurationError(directory, 'other users can read or write this directory', 'delete it');
  }
  return directory;
}

/** Deletes the data of processes that have ended. */
function deleteAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}
