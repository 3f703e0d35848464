/** Ports for programs that need a number. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Returns a port that was free a moment ago. Systems give outgoing connections higher ones, so it probably still is. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = await occupy(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Listens on a port; undefined if it's in use. */
export const occupy = (port: number): Promise<Server | undefined> => {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
};
