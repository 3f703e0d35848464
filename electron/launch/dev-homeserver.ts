/** The homeserver behind `npm run dev`, a process of its own so that it alone starts again. */
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { hostInBrowser, stopWhenTold } from './browser-host.ts';

const [, , dataDir = '', port, consoleUrl, empty] = process.argv;
try {
  const hosting = hostInBrowser({
    dataDir,
    port: Number(port),
    empty: empty !== undefined,
    consoleUrl,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  stopWhenTold(hosting);
  await hosting;
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}
