/**
 * The development console in a browser, served by Vite with live reload, and a homeserver that restarts when its code
 * changes.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { dialects } from '../../shared/dialect.ts';
import { projectRoot } from './build.ts';
import { freePort } from './free-port.ts';
import type { HomeserverOptions } from './options.ts';

const usualPort = 8009;

/** @param port of the homeserver, which is not the page's; 0 for any free one */
export async function developInBrowser({
  dataDir,
  port = usualPort,
  empty,
}: HomeserverOptions): Promise<void> {
  // The port stays the same over restarts, because the page's requests go there.
  const homeserverPort = port === 0 ? await freePort() : port;
  const homeserverUrl = `http://127.0.0.1:${homeserverPort}`;
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
      dataDir,
      String(homeserverPort),
      consoleUrl,
      ...(empty ? ['empty'] : []),
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
