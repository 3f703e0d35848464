/**
 * The console for a browser: a homeserver that serves it, and a link in the terminal that signs the person
 * in. Whoever can read this terminal already holds the server's data.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { issueSignInToken } from '../../server/accounts/local-administrator.ts';
import { loadConfig } from '../../server/config/load.ts';
import { createHomeserver } from '../../server/homeserver.ts';
import { fillFirstStart, isFirstStart } from '../sample-data.ts';

const signInLifetimeMs = 10 * 60_000;

export type BrowserHostOptions = {
  dataDir: string;
  port?: number | undefined;
  /** Start a new data directory without sample data. */
  empty: boolean;
  /** Where the console is, if another program serves it. */
  consoleUrl?: string | undefined;
  say(line: string): void;
};

/**
 * Resolves when the console can be opened.
 *
 * @throws ConfigurationError where the homeserver can't run
 */
export async function hostInBrowser(options: BrowserHostOptions): Promise<{ stop(): Promise<void> }> {
  const { port, empty, say } = options;
  const dataDir = resolve(options.dataDir);
  const settings = join(dataDir, 'homeserver.yaml');
  const first = isFirstStart(dataDir);
  const homeserver = await createHomeserver(
    await loadConfig({ dataDir, port, ...(existsSync(settings) ? { file: settings } : {}) }),
    {
      whenClaimIsLost(reason) {
        say(`${reason}: this homeserver ends`);
        process.exit(1);
      },
    },
  );
  await homeserver.start();
  if (first && !empty) await fillFirstStart(homeserver, say);

  const consoleUrl = options.consoleUrl ?? `${homeserver.url}/console/`;
  const token = await issueSignInToken(homeserver.services, signInLifetimeMs);
  say(`Console:  ${consoleUrl}`);
  say(`Sign in:  ${consoleUrl}#login_token=${token}`);
  say('          (once, in the next 10 minutes; start again for another link)');
  return { stop: () => homeserver.stop() };
}
