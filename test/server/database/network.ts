/** A network between a homeserver and its PostgreSQL that a test can stall, break and bring back. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

export type Network = {
  port: number;
  /** Nothing goes through any more, and nobody is told. */
  stall(): void;
  /** What was held back goes on. */
  resume(): void;
  /** Resolves when someone connects, stalled or not. */
  nextConnection(): Promise<unknown>;
  close(): Promise<void>;
};

export async function startNetwork(target: { host: string; port: number }): Promise<Network> {
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((near) => {
    const far = dial(target.port, target.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (stalled) from.pause();
      from.on('data', (data) => to.write(data));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // A socket that is given listeners flows; one that is to be stalled must not.
      if (stalled) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    nextConnection: () => once(server, 'connection'),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
