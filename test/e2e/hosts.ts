/**
 * The places where the console runs. A test is written once and holds in each:
 *
 *     describe.each(testedHosts)('in $name', (host) => {
 *       test.skipIf(host.missing)('…', async () => {
 *         await using running = await host.start();
 *         await running.page.…
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Page } from 'playwright';
import { projectRoot } from '../../electron/launch/build.ts';
import { installedRuntime } from '../../electron/launch/runtime.ts';
import type { Bridge } from '../../shared/bridge.ts';
import { sharedChromium } from '../chromium.ts';
import { startApp } from '../electron/app.ts';
import { isMatrix } from '../matrix.ts';
import { patience } from '../patience.ts';

type HostName = 'browser' | 'stand-in' | 'electron';

type StartOptions = {
  /** Starts the new server with sample data; otherwise it's empty. */
  sampleData?: boolean;
};

export type RunningHost = AsyncDisposable & {
  name: HostName;
  /** The console's page, signing in to the local server. */
  page: Page;
  homeserverUrl: string;
  /** The homeserver's data directory, for commands such as `gatehouse users add --data-dir`. */
  dataDir: string;
  /** Presses a button in the app's next native dialog. Only the app has native dialogs. */
  answer?(button: string): Promise<void>;
  close(): Promise<void>;
};

export type Host = {
  name: HostName;
  /** Reason why the host can't run on this machine. */
  missing?: string;
  start(options?: StartOptions): Promise<RunningHost>;
};

/** Opens a screen from the navigation rail. */
export const openScreen = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();

const runtime = installedRuntime();

export const hosts: Host[] = [
  { name: 'browser', start: startInBrowser },
  { name: 'stand-in', start: startOnStandIn },
  {
    name: 'electron',
    ...('missing' in runtime && { missing: runtime.missing }),
    start: startInElectron,
  },
];

/** `npm test` runs workflows in the app, as all other tests of the console run in a browser; `npm run test:matrix` there. */
export const testedHosts = hosts.filter(({ name }) => (name === 'browser') === isMatrix);

/** Starts `npm start -- --browser` and opens the link that it prints. */
async function startInBrowser({ sampleData = false }: StartOptions = {}): Promise<RunningHost> {
  const dataDir = newDirectory();
  const launch = spawn(
    process.execPath,
    [
      join(projectRoot, 'electron/launch/launch.ts'),
      '--browser',
      `--data-dir=${dataDir}`,
      '--port=0',
      ...(sampleData ? [] : ['--empty']),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => launch.once('exit', () => resolve()));
  const link = await new Promise<string>((resolve, reject) => {
    launch.once('exit', (code) => reject(new Error(`npm start ended with code ${code}`)));
    createInterface({ input: launch.stdout }).on('line', (line) => {
      const [, found] = /^Sign in: +(http\S+)$/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  // In a new profile.
  const page = await (await sharedChromium()).newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  await page.goto(link);
  return running('browser', page, new URL(link).origin, dataDir, async () => {
    await page.context().close();
    launch.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
}

async function startOnStandIn({ sampleData = false }: StartOptions = {}): Promise<RunningHost> {
  const app = await startApp({
    dist: join(projectRoot, 'dist'),
    arguments: sampleData ? ['--sample-data'] : [],
  });
  const dataDir = join(app.profile, 'homeserver');
  const homeserverUrl = await openLocalServer(app.page);
  const answer = async (button: string) => (await app.nextDialog()).answer(button);
  return { ...running('stand-in', app.page, homeserverUrl, dataDir, () => app.dispose()), answer };
}

async function startInElectron({ sampleData = false }: StartOptions = {}): Promise<RunningHost> {
  if ('missing' in runtime) throw new Error(`Electron does not run here: ${runtime.missing}`);
  const profile = newDirectory();
  const app = await _electron.launch({
    executablePath: runtime.path,
    args: [projectRoot, `--user-data-dir=${profile}`, ...(sampleData ? ['--sample-data'] : [])],
  });
  const page = await app.firstWindow();
  page.setDefaultTimeout(patience);
  const dataDir = join(profile, 'homeserver');
  return running('electron', page, await openLocalServer(page), dataDir, async () => {
    await app.close();
    rmSync(profile, { recursive: true, force: true });
  });
}

/** Opens the local server from the first screen of the shell. Returns the server's URL. */
async function openLocalServer(page: Page): Promise<string> {
  const homeserverUrl = await page.evaluate(async () => {
    const { invoke, listen } = window.gatehouse as Bridge;
    const started = new Promise<string>((resolve) => {
      listen('local-server:changed', ({ url }) => url && resolve(url));
    });
    const outcome = await invoke('local-server:state', undefined);
    return (outcome.ok && outcome.value.url) || started;
  });
  await page.getByRole('button', { name: 'Open local server' }).click();
  return homeserverUrl;
}

function running(
  name: HostName,
  page: Page,
  homeserverUrl: string,
  dataDir: string,
  close: () => Promise<void>,
): RunningHost {
  return { name, page, homeserverUrl, dataDir, close, [Symbol.asyncDispose]: close };
}

const newDirectory = () => mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));

/** Returns a suffix for the test name with the reason for skipping it. */
export function why(missing: string | undefined): string {
  return missing ? ` (not here: ${missing})` : '';
}
