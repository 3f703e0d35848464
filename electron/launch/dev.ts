/**
 * `npm run dev`: the app as it is worked on. A change to the console shows at once; one to the shell starts it again,
 * or loads its windows again; the homeserver starts again when its own code changes.
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
  // What serves and watches by then would go on, with no app.
  process.exit(1);
}
