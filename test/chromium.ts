import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright';

/**
 * Returns the launch options for the Chromium that `npm ci` installed. Omits the package's suggested arguments: they
 * disable web security, which the tests need.
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
      // Chromium's process sandbox doesn't work as root.
      ...(root ? ['--no-sandbox', '--no-zygote'] : []),
    ],
    headless: true,
  };
}

/** The Chromium from `npm ci` is for Linux. Other systems need `npx playwright install chromium`. */
async function executablePath(): Promise<string> {
  return process.platform === 'linux' ? unpacked() : chromium.executablePath();
}

const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');

/**
 * Unpacks Chromium. The package itself extracts to the temporary directory and accepts any existing files, even
 * partial or outdated ones. Here it extracts to a new folder, which is renamed once complete.
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
 * Disables the optimizing compilers: test pages are too short-lived to benefit. Saves a sixth of the cost of a page.
 * Benchmarks and screenshots don't use it.
 */
export const forShortPages = '--js-flags=--always-sparkplug --no-opt --no-maglev';

export async function launchChromium(...more: string[]): Promise<Browser> {
  const options = await chromiumLaunchOptions();
  return chromium.launch({ ...options, args: [...options.args, ...more] });
}

let shared: Promise<Browser> | undefined;

/** Returns the Chromium that all tests of this process share. Each test has its own profile in it, or cleans up. */
export async function sharedChromium(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchChromium(forShortPages);
  return shared as Promise<Browser>;
}
