/** The homeserver of `npm run dev`, in its own process so that it can restart alone. */
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { hostInBrowser, stopOnSignal } from './browser-host.ts';

const [, , dataDir = '', port, consoleUrl, empty] = process.argv;
try {
  const hosting = hostInBrowser({
    dataDir,
    port: Number(port),
    empty: empty !== undefined,
    consoleUrl,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  stopOnSignal(hosting);
  await hosting;
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}
