/** The development app in a window. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type build, createBuilder, createServer } from 'vite';
import { projectRoot } from './build.ts';
import { freePort } from './free-port.ts';
import type { HomeserverOptions } from './options.ts';
import { runRestarting } from './run-restarting.ts';

/** Environments of `vite.config.ts` that build the shell. */
const shell = ['shell', 'preload', 'desktopServer'];

/** @param electron path of the runtime's executable */
export async function developInWindow(
  electron: string,
  { dataDir, port, empty }: HomeserverOptions,
): Promise<void> {
  // Separate from `build`, because development bundles must not be packaged.
  const folder = join(projectRoot, 'dist/development');
  const bundles = join(folder, 'electron');
  makeApp(folder);
  const address = await serveConsole();
  const stopBuilding = await buildAndWatch(bundles);
  const app = runRestarting({
    program: electron,
    arguments: [
      folder,
      `--console-from=${address}`,
      `--data-dir=${dataDir}`,
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...(empty ? [] : ['--sample-data']),
      // The page connects to a local dev server that other origins may not reach without permission.
      '--disable-features=LocalNetworkAccessChecks',
    ],
    folder: bundles,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, app.stop);
  const code = await app.ended;
  await stopBuilding();
  process.exit(code ?? 1);
}

/** An app folder: Electron reads the app's name and main script there. */
function makeApp(folder: string): void {
  const { name, productName, desktopName, version, type } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = { name, productName, desktopName, version, type, main: 'electron/main.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

/**
 * Starts Vite's dev server.
 *
 * @returns its address
 */
async function serveConsole(): Promise<string> {
  const port = await freePort();
  const vite = await createServer({
    configFile: join(projectRoot, 'vite.config.ts'),
    root: join(projectRoot, 'renderer'),
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // The page has the app's own origin, which has no live reload.
      ws: { protocol: 'ws', host: '127.0.0.1', clientPort: port },
    },
  });
  await vite.listen();
  return `http://127.0.0.1:${port}`;
}

/** Resolves after the first build, and then rebuilds on changes. */
async function buildAndWatch(outDir: string): Promise<() => Promise<unknown>> {
  // Doesn't delete the other environments' output.
  const watch = { build: { watch: {}, outDir, emptyOutDir: false } };
  const builder = await createBuilder({
    configFile: join(projectRoot, 'vite.config.ts'),
    root: join(projectRoot, 'renderer'),
    logLevel: 'warn',
    environments: Object.fromEntries(shell.map((name) => [name, watch])),
  });
  const watchers: Watcher[] = [];
  for (const name of shell) {
    const environment = builder.environments[name];
    if (!environment) throw new Error(`vite.config.ts has no environment '${name}'`);
    const watcher = (await builder.build(environment)) as Watcher;
    watchers.push(watcher);
    await firstBuild(watcher);
  }
  return () => Promise.all(watchers.map((watcher) => watcher.close()));
}

type Watcher = Extract<Awaited<ReturnType<typeof build>>, { close(): Promise<void> }>;

const firstBuild = (watcher: Watcher) =>
  new Promise<void>((resolve, reject) => {
    watcher.on('event', (event) => {
      if (event.code === 'END') resolve();
      // Later errors are printed by Vite.
      if (event.code === 'ERROR') reject(event.error);
    });
  });
