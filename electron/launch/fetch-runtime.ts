/** `npm run runtime`: downloads the Electron runtime if missing, even without a display. */
import { fetchRuntime } from './runtime.ts';

const runtime = fetchRuntime((line) => process.stdout.write(`${line}\n`), 'inherit');
if ('path' in runtime) process.stdout.write(`Electron: ${runtime.path}\n`);
else {
  process.stderr.write(`gatehouse: ${runtime.missing}\n`);
  process.exitCode = 1;
}
