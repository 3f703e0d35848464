/**
 * The console in a browser: a homeserver that serves it, and a sign-in link in the terminal. Anyone who can read this
 * terminal has access to the server's data anyway.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { settleData } from '../../server/administration/backup/pending-change.ts';
import { createLocalHost } from '../../server/administration/host/local-host.ts';
import { temporaryServerCommand } from '../../server/administration/host/temporary-server-command.ts';
import { createTemporaryServers } from '../../server/administration/host/temporary-servers.ts';
import { checkConfigurationText } from '../../server/administration/workbench/check-configuration.ts';
import { createHomeserver, type Homeserver } from '../../server/app/homeserver.ts';
import { issueSignInToken } from '../../server/identity/accounts/local-administrator.ts';
import { hasUsers } from '../../server/identity/accounts/user-store.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { warningsToStandardError } from '../../server/platform/core/log.ts';
import { ignoreBrokenPipe } from '../../server/platform/core/process.ts';
import { fillFirstStart } from '../homeserver/sample-data.ts';
import { projectRoot } from './build.ts';

const signInLifetimeMs = 10 * 60_000;

type BrowserHostOptions = {
  dataDir: string;
  port?: number | undefined;
  /** Start a new data directory without sample data. */
  empty: boolean;
  /** URL of the console, if another program serves it. */
  consoleUrl?: string | undefined;
  say(line: string): void;
};

/**
 * Resolves when the console can be opened.
 *
 * @throws ConfigurationError if the homeserver can't run
 */
export async function hostInBrowser(options: BrowserHostOptions): Promise<{ stop(): Promise<void> }> {
  const { port, empty, say } = options;
  ignoreBrokenPipe();
  const dataDir = resolve(options.dataDir);
  const settings = join(dataDir, 'homeserver.yaml');
  await settleData(dataDir, say);
  let homeserver: Homeserver | undefined;
  let ownPort = port;
  let hasRun = false;

  async function run(settingsFrom?: string): Promise<Homeserver> {
    const file = settingsFrom !== undefined || existsSync(settings) ? settings : undefined;
    const text = settingsFrom && (await readFile(settingsFrom, 'utf8'));
    const started = await createHomeserver(await loadConfig({ dataDir, port: ownPort, file, text }), {
      host,
      isBench: true,
      log: warningsToStandardError,
      whenClaimIsLost(reason) {
        say(`${reason}: shutting down`);
        process.exit(1);
      },
    });
    await started.start();
    homeserver = started;
    // The free port is kept, because open pages use it.
    if (ownPort !== undefined) ownPort = Number(new URL(started.url).port);
    return started;
  }

  /** Errors of the first start go to the caller; later ones to the terminal. */
  async function runAgain(settingsFrom?: string): Promise<Homeserver> {
    try {
      const started = await run(settingsFrom);
      process.exitCode = 0;
      return started;
    } catch (error) {
      if (hasRun) say(`The homeserver couldn't start: ${(error as Error).message}`);
      // Ends this program, unless the restart falls back to the previous configuration.
      process.exitCode = 1;
      throw error;
    }
  }

  async function saySignIn(username?: string): Promise<string> {
    if (!homeserver) throw new Error("The homeserver isn't running");
    const consoleUrl = options.consoleUrl ?? `${homeserver.url}/console/`;
    const token = await issueSignInToken(homeserver.services, signInLifetimeMs, username);
    say(`Console:  ${consoleUrl}`);
    say(`Sign in:  ${consoleUrl}#login_token=${token}`);
    say('          (valid once, for 10 minutes; restart for a new link)');
    return token;
  }

  const host = createLocalHost({
    dataDir,
    temporaryServers: createTemporaryServers(
      temporaryServerCommand([process.execPath, join(projectRoot, 'bin/gatehouse.js')]),
    ),
    check: (text, file) => checkConfigurationText({ text, file, dataDir }),
    runner: {
      start: runAgain,
      async stop() {
        await homeserver?.stop();
        homeserver = undefined;
      },
      signInToken: saySignIn,
    },
  });
  await host.start();
  hasRun = true;
  if (homeserver && !empty) await fillFirstStart(homeserver, say);
  else if (homeserver && (await hasUsers(homeserver.services.db))) {
    say(`--empty has no effect: ${dataDir} already has data.`);
  }
  await saySignIn();
  return { stop: () => host.close() };
}

/** Called before the server is announced, because it may be stopped at once, and repeatedly. */
export function stopOnSignal(hosting: Promise<{ stop(): Promise<void> }>): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    // If the start fails, its caller reports it.
    void hosting.then(
      (host) => host.stop().then(() => process.exit()),
      () => {},
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
}
