/**
 * `npm run dev`: live reload for the console, restart or window reload for the shell, and restart for the homeserver
 * when their code changes.
 */
import { join, resolve } from 'node:path';
import { portNumber } from '../homeserver/listeners.ts';
import { projectRoot } from './build.ts';
import { readOptions } from './options.ts';
import { installedRuntime } from './runtime.ts';

const { 'data-dir': dataDir = join(projectRoot, 'data'), port, empty } = readOptions('npm run dev', {});
try {
  const homeserver = {
    dataDir: resolve(dataDir),
    port: port === undefined ? undefined : portNumber(port),
    empty,
  };
  const runtime = installedRuntime();
  if ('path' in runtime) {
    const { developInWindow } = await import('./dev-window.ts');
    await developInWindow(runtime.path, homeserver);
  } else {
    process.stdout.write(`No window: ${runtime.missing}. Opening the console in the browser instead.\n`);
    const { developInBrowser } = await import('./dev-browser.ts');
    await developInBrowser(homeserver);
  }
} catch (error) {
  process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : error}\n`);
  // Ends servers and watchers that already run without an app.
  process.exit(1);
}
