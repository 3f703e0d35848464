#!/usr/bin/env node
// Runs the command line on the Node that the project brings, which reads TypeScript as it is written;
// whichever Node started this file may be older.
import module from 'node:module';

// An import would read everything that they export, and load what is made only when it is read.
const require = module.createRequire(import.meta.url);
const { readdirSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { fileURLToPath } = require('node:url');
const v8 = require('node:v8');

const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const [major] = process.versions.node.split('.').map(Number);
const isServer = process.argv[2] === 'serve';
// As server/app/cli.ts, for the while until that is loaded.
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
 * Where what the modules compile to is kept: a quarter off the time to start. It goes with the
 * build that it is of, and outlasts a restart of the machine, as Node's own place for it often doesn't.
 */
const compiled = isBuilt ? fromRoot('dist/server/compiled') : undefined;
/**
 * Garbage among what has lived for a while is collected when there is this much of it, in percent of what is in use:
 * left to itself, the heap of a busy server is two thirds garbage.
 */
const collectOften = '--heap-growing-percent=30';

if (major >= 24) {
  const { FAILED } = module.constants.compileCacheStatus;
  // Where this user may not write, Node's own place.
  if (module.enableCompileCache(compiled).status === FAILED) module.enableCompileCache();
  // Before all else: a start would have it grow to eight megabytes, which stay.
  growYoungGeneration();
  await import(cli);
  // Most of what a start makes lasts: to collect garbage often would take it a tenth longer.
  v8.setFlagsFromString(collectOften);
  // Where little is going on, it is made small again, such as at the end of a start.
  setInterval(growYoungGeneration, 1_000).unref();
} else {
  const { spawn } = require('node:child_process');
  const project = dirname(require.resolve('node/package.json'));
  const node = join(project, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // Before there is a child: told while it starts, this process would end without it.
  let told;
  for (const signal of stops) {
    process.on(signal, () => {
      told = signal;
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
      env: { ...(compiled && { NODE_COMPILE_CACHE: compiled }), ...process.env },
    },
  );
  // A temporary server stops with the program that forked it, and has no channel to that program itself.
  if (isServer && process.channel && process.argv.includes('--temporary')) {
    process.once('disconnect', () => child.kill('SIGTERM'));
    process.channel.unref();
  }
  child.on('exit', (code, signal) => {
    // Until that one listens to signals it has begun nothing.
    process.exitCode = code ?? (signal && !(isServer && signal === told) ? 1 : 0);
  });
}

/**
 * The part of the heap for what lives shortly begins with a megabyte, which a server fills several times in a
 * request, and would grow to a hundred under load, and stay so. It is brought to four.
 */
function growYoungGeneration() {
  const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  v8.setFlagsFromString('--semi-space-growth-factor=4');
  for (let round = 0; round < 60 && size() < 4 * 1024 ** 2; round++) {
    // It grows where more than it holds is in use when it is collected.
    Array.from({ length: 30_000 }, (_, index) => [index]);
  }
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/** Whether what `npm run build` has made is there, and newer than all that it is made of. */
function isUpToDate(result) {
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
