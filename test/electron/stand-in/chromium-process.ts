/** The Chromium process behind the stand-in's windows. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumLaunchOptions, forShortPages } from '../../chromium.ts';
import { DevTools } from './devtools.ts';
import type { ChromiumProcess } from './joined-chromium.ts';

/** Chromium gets the app's feature switches. */
const disabledFeatures = () =>
  process.argv
    .filter((argument) => argument.startsWith(disableFeatures))
    .map((argument) => argument.slice(disableFeatures.length));
const disableFeatures = '--disable-features=';

/** Starts Chromium. Its profile is deleted with the app's data; without an app, when the process exits. */
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
      // `window.open` returns null, as if the window open handler denied it.
      '--block-new-web-contents',
      // Keeps frames in the page's process, where the page's DevTools session sees them.
      `--disable-features=${['IsolateOrigins', 'IsolateSandboxedIframes', ...disabledFeatures()].join()}`,
      '--disable-site-isolation-trials',
    ],
    // A process group of its own, so that all processes end together and none writes to the deleted profile.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: ownData === undefined },
  );
  const ended = new Promise<void>((resolve) => chromium.once('exit', () => resolve()));
  process.once('exit', () => {
    if (ownData !== undefined) return chromium.kill('SIGKILL');
    try {
      if (chromium.pid) process.kill(-chromium.pid, 'SIGKILL');
    } catch {
      // Chromium had already exited.
    }
    // Chromium's processes write to the profile until the last one exits.
    rmSync(userData, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  });

  // Vitest ends its workers with SIGTERM.
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
