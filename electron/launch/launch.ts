/** `npm start`: the console on a local homeserver, in a window or, if that isn't possible, in the browser. */
import { spawn } from 'node:child_process';
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { portNumber } from '../homeserver/listeners.ts';
import { buildWhatIsMissing, projectRoot } from './build.ts';
import { readOptions } from './options.ts';
import { findRuntime, type Runtime } from './runtime.ts';

const values = readOptions('npm start', { browser: { type: 'boolean', default: false } });
// Keeps compiled modules, which saves a third of the startup time.
enableCompileCache();
createRequire(import.meta.url)('../../bin/end-with-npm.cjs');
let port: number | undefined;
/** Exit code on Linux if a program's libraries can't be loaded. */
const lacksLibrary = 127;
/** Exit code of Chromium if the system doesn't allow its sandbox. */
const refusal = 'SIGTRAP';
const refusesWithinMs = 10_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  port = values.port === undefined ? undefined : portNumber(values.port);
  buildWhatIsMissing(say);
  const missing = values.browser ? undefined : await openWindow(findRuntime(say));
  if (missing !== undefined) say(`No window: ${missing}. Opening the console in the browser instead.`);
  if (values.browser || missing !== undefined) await openInBrowser();
} catch (error) {
  const expected = error instanceof ConfigurationError;
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`);
  if (isPortTaken(error)) process.stderr.write('To use a free port: npm start -- --port 0\n');
  if (!expected && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}

function isPortTaken(error: unknown): boolean {
  return (
    error instanceof ConfigurationError &&
    error.sentence.includes('in use by another program; choose another port')
  );
}

async function openInBrowser(): Promise<void> {
  const { 'data-dir': dataDir = join(projectRoot, 'data'), empty } = values;
  // Loaded only without a window: the homeserver is most of the code.
  const { hostInBrowser, stopOnSignal } = await import('./browser-host.ts');
  const hosting = hostInBrowser({ dataDir, port, empty, say });
  stopOnSignal(hosting);
  await hosting;
}

/** Resolves when the app has exited, with the reason if no window can open. */
async function openWindow(runtime: Runtime): Promise<string | undefined> {
  if ('missing' in runtime) return runtime.missing;
  // Passes on SIGTERM once. Not SIGINT, which the terminal also sends to the app: Electron exits at once on a second
  // one. Registered before the app starts, because a signal during the start would end only this process.
  let isSignaled = false;
  const terminate = () => {
    if (!isSignaled) child.kill('SIGTERM');
    isSignaled = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, terminate);
  const { 'data-dir': dataDir, empty } = values;
  const child = spawn(
    runtime.path,
    [
      projectRoot,
      ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...(empty ? [] : ['--sample-data']),
    ],
    { stdio: 'inherit' },
  );
  const startedAt = performance.now();
  const problem = await new Promise<string | undefined>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 1;
      const isRefused = signal === refusal && performance.now() - startedAt < refusesWithinMs;
      const saysWhy = !isSignaled && (code === lacksLibrary || isRefused);
      resolve(saysWhy ? 'see above' : undefined);
    });
  });
  for (const signal of signals) process.off(signal, terminate);
  if (problem === undefined) return undefined;
  process.exitCode = 0;
  return `the Electron runtime couldn't start (${problem})`;
}
