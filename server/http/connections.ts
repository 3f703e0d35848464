/** How a server leaves its connections: whoever has asked gets a while for the reply, nobody else does. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';

/** How long running requests may go on when the server stops, in milliseconds. */
const gracePeriod = 5_000;

export type Connections = {
  /** Takes no more of them, and closes each when its request has ended, or after the grace period. */
  close(): Promise<void>;
};

/** Follows a server's connections from the first; it has none yet. */
export function followConnections(server: Server, clock: Clock): Connections {
  const sockets = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let closing = false;
  let allEnded = () => {};

  // Before there is TLS or a request on it: whoever stays silent has to be closed, too.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_request, response: ServerResponse) => {
    running.add(response);
    if (closing) endConnectionAfter(response);
    response.once('close', () => {
      running.delete(response);
      if (closing && running.size === 0) allEnded();
    });
  });

  return {
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of running) endConnectionAfter(response);
      if (running.size > 0) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(gracePeriod, resolve);
          allEnded = () => {
            cancel();
            resolve();
          };
        });
      }
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Tells the client not to wait for more on this connection. */
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
