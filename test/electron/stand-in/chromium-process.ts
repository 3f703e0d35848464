/** The Chromium that stands in for Electron's own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumLaunchOptions, forShortPages } from '../../chromium.ts';
import { DevTools } from './devtools.ts';
import type { ChromiumProcess } from './joined-chromium.ts';

/** What the app was started with is Chromium's, too. */
const disabledFeatures = () =>
  process.argv
    .filter((argument) => argument.startsWith(disableFeatures))
    .map((argument) => argument.slice(disableFeatures.length));
const disableFeatures = '--disable-features=';

/** Starts it with a profile that lasts as long as the app's own data; for no app in particular as long as the process. */
export async function startChromium(ownData?: string): Promise<ChromiumProcess> {
  const userData = ownData ?? mkdtempSync(join(tmpdir(), 'gatehouse-chromium-profile-'));
  const { executablePath, args } = await chromiumLaunchOptions();
  if (!executablePath) throw new Error('There is no Chromium to start');
  const chromium = spawn(
    executablePath,
    [
      ...args,
      forShortPages,
      '--remote-debugging-port=0',
      `--user-data-dir=${join(userData, 'Chromium')}`,
      // `window.open` gives null, as it does where a window open handler denies.
      '--block-new-web-contents',
      // A frame stays in its page's process, where the session of the page sees it.
      `--disable-features=${['IsolateOrigins', 'IsolateSandboxedIframes', ...disabledFeatures()].join()}`,
      '--disable-site-isolation-trials',
    ],
    // With a group of its own all of its processes end at once, and none goes on writing where nothing is left.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: ownData === undefined },
  );
  const ended = new Promise<void>((resolve) => chromium.once('exit', () => resolve()));
  process.once('exit', () => {
    if (ownData !== undefined) return chromium.kill('SIGKILL');
    try {
      if (chromium.pid) process.kill(-chromium.pid, 'SIGKILL');
    } catch {
      // It had ended.
    }
    // Its processes write there until the last of them has ended.
    rmSync(userData, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  });

  // The runner ends its processes with that.
  if (ownData === undefined) process.once('SIGTERM', () => process.exit());

  const endpoint = await new Promise<string>((resolve, reject) => {
    chromium.once('error', reject);
    chromium.once('exit', (code) => reject(new Error(`Chromium ended with code ${code}`)));
    createInterface({ input: chromium.stderr }).on('line', (line) => {
      const [, address] = /^DevTools listening on (ws:\S+)$/.exec(line) ?? [];
      if (address) resolve(address);
    });
  });
  const devtools = await DevTools.connect(endpoint);
  return {
    devtools,
    endpoint,
    async close() {
      await devtools.send('Browser.close').catch(() => chromium.kill('SIGKILL'));
      await ended;
    },
  };
}
