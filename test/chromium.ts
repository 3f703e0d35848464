import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright';

/**
 * How the Chromium that `npm ci` brought is started. The arguments that its package suggests are left
 * out: they switch off web security, which is just what the tests have to see at work.
 */
export async function chromiumLaunchOptions(): Promise<LaunchOptions & { args: string[] }> {
  const root = process.getuid?.() === 0;
  return {
    executablePath: await executablePath(),
    args: [
      '--headless=shell',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Chromium refuses to run its own process sandbox as root.
      ...(root ? ['--no-sandbox', '--no-zygote'] : []),
    ],
    headless: true,
  };
}

/** What `npm ci` brought is for Linux; elsewhere `npx playwright install chromium` brings one. */
async function executablePath(): Promise<string> {
  return process.platform === 'linux' ? unpacked() : chromium.executablePath();
}

const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');

/**
 * The package unpacks itself where temporary files are, and takes what lies there for whole: also what another
 * process has only begun, or an earlier version's. Here it does so in a folder of its own, which gets its name when all
 * of it is there.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const directory = join(tmpdir(), `gatehouse-chromium-${version}`);
  const executable = join(directory, 'chromium');
  if (existsSync(executable)) return executable;
  const own = await mkdtemp(`${directory}-`);
  const unpack = "await (await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: packageFolder,
    env: { ...process.env, TMPDIR: own },
  });
  await rename(own, directory).catch(async (error) => {
    await rm(own, { recursive: true });
    if (!existsSync(executable)) throw error;
  });
  return executable;
}

/**
 * For tests, whose pages end before it pays to compile their scripts further than they are at first: a sixth of what
 * a page costs. What is measured or looked at is without it, as people have it.
 */
export const forShortPages = '--js-flags=--always-sparkplug --no-opt --no-maglev';

export async function launchChromium(...more: string[]): Promise<Browser> {
  const options = await chromiumLaunchOptions();
  return chromium.launch({ ...options, args: [...options.args, ...more] });
}

let shared: Promise<Browser> | undefined;

/** One for all tests of this process; it ends with it. Each test has a profile of its own in it, or cleans up. */
export async function sharedChromium(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchChromium(forShortPages);
  return shared as Promise<Browser>;
}
