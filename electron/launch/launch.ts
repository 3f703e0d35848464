/** `npm start`: the console on a local homeserver, in a window of its own or, where there can be none, in the browser. */
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError } from '../../server/config/configuration-error.ts';
import { portNumber } from '../port-number.ts';
import { buildWhatIsMissing, projectRoot } from './build.ts';
import { readOptions } from './options.ts';
import { findRuntime } from './runtime.ts';

const values = readOptions('npm start', { browser: { type: 'boolean', default: false } });
// Keeps what the modules compile to: a third off the time to start.
enableCompileCache();
let port: number | undefined;
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  port = values.port === undefined ? undefined : portNumber(values.port);
  buildWhatIsMissing(say);
  const runtime = values.browser ? undefined : findRuntime(say);
  if (runtime && 'path' in runtime) openWindow(runtime.path);
  else {
    if (runtime) say(`No window: ${runtime.missing}. The console opens in the browser instead.`);
    await openInBrowser();
  }
} catch (error) {
  const expected = error instanceof ConfigurationError;
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`);
  if (!expected && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}

async function openInBrowser(): Promise<void> {
  const { 'data-dir': dataDir = join(projectRoot, 'data'), empty } = values;
  // Not where a window opens: the homeserver is most of what there is to load.
  const { hostInBrowser, stopWhenTold } = await import('./browser-host.ts');
  const hosting = hostInBrowser({ dataDir, port, empty, say });
  stopWhenTold(hosting);
  await hosting;
}

function openWindow(electron: string): void {
  // Not SIGINT: a terminal has sent that to the app as well, and Electron ends at once where the same one comes again.
  // And once: npm passes on what the terminal has told this process already. It listens before there is an app: told
  // while it starts one, it would end without it.
  let isTold = false;
  const tell = () => {
    if (!isTold) child.kill('SIGTERM');
    isTold = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, tell);
  const { 'data-dir': dataDir, empty } = values;
  const child = spawn(
    electron,
    [
      projectRoot,
      ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...(empty ? [] : ['--sample-data']),
    ],
    { stdio: 'inherit' },
  );
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
