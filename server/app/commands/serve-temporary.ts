/** `gatehouse serve --temporary`: a server for tests and trials, whose data is deleted on exit. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ensureUser } from '../../identity/accounts/create-user.ts';
import { openSession } from '../../identity/sessions/sessions.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { makeDirectory } from '../../platform/core/files.ts';
import { ignoreBrokenPipe, isRunning } from '../../platform/core/process.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import { isConsoleBuilt } from '../console-routes.ts';
import { createHomeserver, type Homeserver } from '../homeserver.ts';

export type TemporaryOptions = {
  name?: string;
  /** Print one line of JSON instead of text. */
  json?: boolean;
  /** Also print the secrets for registration and JWT login. */
  secrets?: boolean;
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

  const config = withSecrets(await loadConfig({ ...source, dataDir, port: source.port ?? 0 }));
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`);
  const homeserver = await createHomeserver(config, { isBench: true });
  await homeserver.start();
  stopOnSignal(homeserver);

  const userId = await administrator(homeserver);
  const { accessToken } = await openSession(homeserver.services, userId);
  const { url } = homeserver;
  const facts = { name, url, server_name: config.serverName, user_id: userId, access_token: accessToken };
  const all = {
    ...facts,
    ...(config.console && isConsoleBuilt() && { console_url: `${url}/console/` }),
    data_dir: dataDir,
    pid: process.pid,
    ...(options.secrets && secretsOf(config)),
  };
  process.stdout.write(
    options.json
      ? `${JSON.stringify(all)}\n`
      : Object.entries(all)
          .map(([label, value]) => `${label}: ${value}\n`)
          .join(''),
  );
}

async function administrator({ services }: Homeserver): Promise<string> {
  const { userId } = await ensureUser(services, {
    localpart: 'admin',
    displayName: 'Administrator',
    admin: true,
  });
  return userId;
}

function stopOnSignal(homeserver: Homeserver): void {
  let isStopping = false;
  // A parent process may forward a signal that the terminal has sent as well.
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    void homeserver.stop().then(() => process.exit());
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // The parent process has ended.
  process.once('disconnect', stop);
}

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
  makeDirectory(directory, 0o700);
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
