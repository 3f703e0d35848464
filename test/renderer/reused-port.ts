import type { Config } from '../../server/platform/config/config.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../server/homeserver.ts';

let lastPort = 0;

/**
 * Starts a homeserver with the console on the port of this process's previous one. The browser can then reuse its
 * cached and compiled files.
 */
export async function startOnSamePort(config: Partial<Config> = {}): Promise<TestHomeserver> {
  const startAt = (port: number) =>
    startHomeserver({ config: { console: true, listeners: [{ ...localListener, port }], ...config } });
  // Another program may use the port by now.
  const homeserver = await startAt(lastPort).catch(() => startAt(0));
  lastPort = Number(new URL(homeserver.url).port);
  return homeserver;
}
