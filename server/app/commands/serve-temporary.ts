/** A server for a moment, whose data goes with it: for tests, and to try something out. */
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
  /** What it is called among others. */
  name?: string;
  /** Prints one line of JSON in place of text. */
  json?: boolean;
  /** Whether that line has the secrets for registration and JWT login. */
  secrets?: boolean;
};

/**
 * Serves on a free port, with an administrator whose token is printed, until it is told to stop. What processes that
 * were killed have left is swept up first.
 *
 * @throws ConfigurationError
 */
export async function serveTemporarily(
  source: Omit<ConfigSource, 'dataDir'>,
  options: TemporaryOptions,
): Promise<void> {
  ignoreBrokenPipe();
  const place = placeForAll();
  sweep(place);
  const name = options.name ?? `server-${process.pid}`;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
    throw new ConfigurationError(
      '--name',
      `invalid name '${name}'`,
      'use up to 40 characters of a-z, 0-9 and -',
    );
  }
  const dataDir = join(place, `${process.pid}-${name}`);
  mkdirSync(dataDir, { mode: 0o700 });
  // Other threads go on with what a start has begun, and may make something there meanwhile.
  const leave = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 1 });
  process.on('exit', leave);

  const config = withSecrets(await loadConfig({ ...source, dataDir, port: source.port ?? 0 }));
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`);
  const homeserver = await createHomeserver(config, { isBench: true });
  await homeserver.start();
  stopWhenTold(homeserver);

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

function stopWhenTold(homeserver: Homeserver): void {
  let isTold = false;
  // Whoever started it may pass on what the terminal has told it already.
  const stop = () => {
    if (isTold) return;
    isTold = true;
    void homeserver.stop().then(() => process.exit());
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // Whoever started it as a part of a program of theirs has gone.
  process.once('disconnect', stop);
}

/** Everything can be tried out, unless a configuration says otherwise. */
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

/** A public key is no secret, and makes no token. */
const secretsOf = ({ registration, jwt }: Config) => ({
  registration_shared_secret: registration.sharedSecret,
  ...(jwt?.algorithm.startsWith('HS') && { jwt_secret: jwt.secret }),
});

/** A folder that is this user's alone: other people may write to where it stands. */
function placeForAll(): string {
  const { uid, username } = userInfo();
  const place = join(tmpdir(), `gatehouse-temporary-${uid === -1 ? username : uid}`);
  makeDirectory(place, 0o700);
  const found = statSync(place);
  if (uid !== -1 && (found.uid !== uid || (found.mode & 0o077) !== 0)) {
    throw new ConfigurationError(place, 'other users can read or write this directory', 'delete it');
  }
  return place;
}

/** Whatever belongs to no process any more. */
function sweep(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}
