/** The app in a window of its own while it is worked on. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type build, createBuilder, createServer } from 'vite';
import { projectRoot } from './build.ts';
import { freePort } from './free-port.ts';
import type { HomeserverOptions } from './options.ts';
import { runRestarting } from './run-restarting.ts';

/** The environments of `vite.config.ts` that make the shell. */
const shell = ['shell', 'preload', 'desktopServer'];

/** @param electron the runtime's executable */
export async function developInWindow(
  electron: string,
  { dataDir, port, empty }: HomeserverOptions,
): Promise<void> {
  // Apart from what `build` makes: what was built at each change stands there, which no package is to be made of.
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
      // The page hears of changes from a server of this machine, which no page of another origin may talk to unasked.
      '--disable-features=LocalNetworkAccessChecks',
    ],
    folder: bundles,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, app.stop);
  const code = await app.ended;
  await stopBuilding();
  process.exit(code ?? 1);
}

/** An app to be: Electron looks there for its name and its main script. */
function makeApp(folder: string): void {
  const { name, productName, desktopName, version, type } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = { name, productName, desktopName, version, type, main: 'electron/main.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

/** From Vite, so that a change shows at once. @returns its address */
async function serveConsole(): Promise<string> {
  const port = await freePort();
  const vite = await createServer({
    configFile: join(projectRoot, 'vite.config.ts'),
    root: join(projectRoot, 'renderer'),
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // The page itself has an address of the app's own, where nobody tells of changes.
      ws: { protocol: 'ws', host: '127.0.0.1', clientPort: port },
    },
  });
  await vite.listen();
  return `http://127.0.0.1:${port}`;
}

/** Resolves when everything has been built once; goes on with each change. */
async function buildAndWatch(outDir: string): Promise<() => Promise<unknown>> {
  // What the others have built stays where it is.
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
      // Later ones are said by Vite, and mended by whoever made them.
      if (event.code === 'ERROR') reject(event.error);
    });
  });
