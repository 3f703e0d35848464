#!/usr/bin/env node
// Runs the command line on the project's own Node, which runs TypeScript. The Node that started this file may be older.
import module from 'node:module';

// `require`, because an import would load all lazy exports of Node's modules.
const require = module.createRequire(import.meta.url);
const { existsSync, readdirSync, statSync } = require('node:fs');
const { fileURLToPath } = require('node:url');
const v8 = require('node:v8');

const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const [major] = process.versions.node.split('.').map(Number);
const isServer = process.argv[2] === 'serve';
// Exits with 0 on a signal until server/app/cli.ts is loaded and handles signals.
if (isServer && major >= 24) {
  for (const signal of stops) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
  }
}

if (isServer) require('./end-with-npm.cjs');

const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const isBuilt = isUpToDate('dist/server/cli.js');
const cli = fromRoot(isBuilt ? 'dist/server/cli.js' : 'server/app/cli.ts');
/**
 * The compile cache, which saves a quarter of the startup time. In the build's directory, because Node's default is in
 * the temporary directory, which is often cleared at boot.
 */
const compileCache = isBuilt ? fromRoot('dist/server/compiled') : undefined;
/**
 * Collects garbage when the old generation has grown by a third. By default, two thirds of a busy server's heap are
 * garbage.
 */
const collectOften = '--heap-growing-percent=30';

if (major >= 24) {
  const { FAILED } = module.constants.compileCacheStatus;
  // Falls back to Node's default if this user can't write there.
  if (module.enableCompileCache(compileCache).status === FAILED) module.enableCompileCache();
  // First, because loading the server would grow it to 8 MB permanently.
  growYoungGeneration();
  await import(cli);
  // Not during the startup, which would take a tenth longer.
  v8.setFlagsFromString(collectOften);
  // V8 shrinks it when the server is idle.
  setInterval(growYoungGeneration, 1_000).unref();
} else {
  const { spawn } = require('node:child_process');
  const node = require('./node-program.cjs').nodeProgram();
  // Before the child starts, so that it gets signals that arrive in the meantime.
  let lastSignal;
  for (const signal of stops) {
    process.on(signal, () => {
      lastSignal = signal;
      child.kill(signal);
    });
  }
  const child = spawn(
    node,
    [
      ...['--require', fromRoot('bin/end-with-starter.cjs')],
      ...['--min-semi-space-size=4', '--max-semi-space-size=4', collectOften],
      ...[cli, ...process.argv.slice(2)],
    ],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...(compileCache && { NODE_COMPILE_CACHE: compileCache }), ...process.env },
    },
  );
  // A temporary server stops with the program that forked this process.
  if (isServer && process.channel && process.argv.includes('--temporary')) {
    process.once('disconnect', () => child.kill('SIGTERM'));
    process.channel.unref();
  }
  child.on('exit', (code, signal) => {
    // A server that is stopped before it handles signals has done nothing yet.
    process.exitCode = code ?? (signal && !(isServer && signal === lastSignal) ? 1 : 0);
  });
}

/**
 * Grows the young generation to 4 MB and keeps it there. It starts at 1 MB, which a request fills several times, and
 * would grow to 100 MB under load permanently.
 */
function growYoungGeneration() {
  const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  v8.setFlagsFromString('--semi-space-growth-factor=4');
  for (let round = 0; round < 60 && size() < 4 * 1024 ** 2; round++) {
    // It grows when enough of it is in use at a collection.
    Array.from({ length: 30_000 }, (_, index) => [index]);
  }
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/** Whether the build exists and is newer than its sources. The npm package has no sources. */
function isUpToDate(result) {
  if (!existsSync(fromRoot('server'))) return true;
  const built = statSync(fromRoot(result), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOlder = (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < built;
  const allOlder = (folder) =>
    readdirSync(folder, { withFileTypes: true }).every((entry) =>
      entry.isDirectory() ? allOlder(`${folder}/${entry.name}`) : isOlder(`${folder}/${entry.name}`),
    );
  return (
    isOlder(fromRoot('package-lock.json')) &&
    isOlder(fromRoot('vite.config.ts')) &&
    allOlder(fromRoot('bundles')) &&
    allOlder(fromRoot('server')) &&
    allOlder(fromRoot('shared'))
  );
}
