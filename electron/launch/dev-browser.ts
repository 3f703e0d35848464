/**
 * The console in a browser while it is worked on, from Vite, so that a change shows at once, in front of a homeserver
 * that starts again when its code changes.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { dialects } from '../../shared/dialect.ts';
import { projectRoot } from './build.ts';

const homeserverPort = 8009;
const homeserverUrl = `http://127.0.0.1:${homeserverPort}`;

export async function developInBrowser(): Promise<void> {
  const prefixes = Object.values(dialects)
    .flatMap(({ administration, chat }) => [administration, chat])
    .concat('/_gatehouse');
  const vite = await createServer({
    configFile: join(projectRoot, 'vite.config.ts'),
    root: join(projectRoot, 'renderer'),
    server: {
      host: '127.0.0.1',
      proxy: Object.fromEntries(prefixes.map((prefix) => [`${prefix}/`, homeserverUrl])),
    },
  });
  await vite.listen();
  const [consoleUrl = ''] = vite.resolvedUrls?.local ?? [];

  const homeserver = spawn(
    process.execPath,
    [
      '--watch-path=server',
      '--watch-path=shared',
      '--watch-preserve-output',
      'electron/launch/dev-homeserver.ts',
      String(homeserverPort),
      consoleUrl,
    ],
    { cwd: projectRoot, stdio: 'inherit' },
  );

  async function stop(): Promise<void> {
    homeserver.kill('SIGTERM');
    await vite.close();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  homeserver.on('exit', () => void vite.close().then(() => process.exit()));
}
