/** How a server leaves its connections: whoever has asked gets a while for the reply, nobody else does. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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
  // By connection, because a set with another member for each request would be made anew all the time, and keep
  // those that are over in memory until there is none left.
  const replies = new Map<Socket, ServerResponse | undefined>();
  let running = 0;
  let closing = false;
  let allEnded = () => {};

  // Before there is TLS or a request on it: whoever stays silent has to be closed, too.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!replies.has(socket)) socket.once('close', () => replies.delete(socket));
    replies.set(socket, response);
    running++;
    if (closing) endConnectionAfter(response);
    // It comes once.
    response.on('close', () => {
      if (replies.get(socket) === response) replies.set(socket, undefined);
      running--;
      if (closing && running === 0) allEnded();
    });
  });

  return {
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of replies.values()) if (response) endConnectionAfter(response);
      if (running > 0) {
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
