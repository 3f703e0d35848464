/** A proxy between a homeserver and PostgreSQL that tests can stall, break and restore. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

export type Network = {
  port: number;
  /** Stops all traffic without closing connections. */
  stall(): void;
  /** Passes on the stalled traffic. */
  resume(): void;
  /** Resolves on the next connection, stalled or not. */
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
      // Adding listeners starts the flow, which must not happen while stalled.
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
