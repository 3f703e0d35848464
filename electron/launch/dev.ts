/**
 * `npm run dev`: the app as it is worked on. A change to the console shows at once; one to the shell starts it again,
 * or loads its windows again; the homeserver starts again when its own code changes.
 */
import { installedRuntime } from './runtime.ts';

const runtime = installedRuntime();
if ('path' in runtime) {
  const { developInWindow } = await import('./dev-window.ts');
  await developInWindow(runtime.path);
} else {
  process.stdout.write(`No window: ${runtime.missing}. The console opens in the browser instead.\n`);
  const { developInBrowser } = await import('./dev-browser.ts');
  await developInBrowser();
}
