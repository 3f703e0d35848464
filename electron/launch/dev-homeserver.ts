/** The homeserver behind `npm run dev`, a process of its own so that it alone starts again. */
import { join } from 'node:path';
import { hostInBrowser } from './browser-host.ts';
import { projectRoot } from './build.ts';

const [, , port, consoleUrl] = process.argv;
const host = await hostInBrowser({
  dataDir: join(projectRoot, 'data'),
  port: Number(port),
  empty: false,
  consoleUrl,
  say: (line) => process.stdout.write(`${line}\n`),
});
process.on('SIGTERM', () => void host.stop().then(() => process.exit()));
