import type { Config } from '../../server/platform/config/config.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../server/homeserver.ts';

let lastPort = 0;

/**
 * A homeserver with the console, at the address of the last one of this process: what a browser has loaded and compiled
 * of one address it does not load again.
 */
export async function startWhereTheLastWas(config: Partial<Config> = {}): Promise<TestHomeserver> {
  const startAt = (port: number) =>
    startHomeserver({ config: { console: true, listeners: [{ ...localListener, port }], ...config } });
  // Somebody else may have it by now.
  const homeserver = await startAt(lastPort).catch(() => startAt(0));
  lastPort = Number(new URL(homeserver.url).port);
  return homeserver;
}
