/** How a server leaves its connections: whoever has asked gets a while for the reply, nobody else does. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';

/** How long running requests may go on when the server stops, in milliseconds. */
const gracePeriod = 5_000;
/** In so many turns of the event loop without news nobody is left who has asked: one takes a connection, the next reads it. */
const quietTurns = 3;
/** At most so many are waited for: as many connections as the system keeps until they are taken, one in a turn, and more. */
const mostTurns = 1_000;

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
  /** Connections and requests so far. */
  let came = 0;
  let closing = false;
  let allEnded = () => {};

  // Before there is TLS or a request on it: whoever stays silent has to be closed, too.
  server.on('connection', (socket: Socket) => {
    came++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!replies.has(socket)) socket.once('close', () => replies.delete(socket));
    replies.set(socket, response);
    came++;
    running++;
    if (closing) endConnectionAfter(response);
    // It comes once.
    response.on('close', () => {
      if (replies.get(socket) === response) replies.set(socket, undefined);
      running--;
      if (closing && running === 0) allEnded();
    });
  });

  /** What the system has already taken for this server would be lost with the connections that it came on. */
  async function hearWhoHasAsked(): Promise<void> {
    for (let [turn, quiet] = [0, 0]; quiet < quietTurns && turn < mostTurns; turn++) {
      const before = came;
      await nextTurn();
      quiet = came === before ? quiet + 1 : 0;
    }
  }

  return {
    async close() {
      closing = true;
      for (const response of replies.values()) if (response) endConnectionAfter(response);
      await hearWhoHasAsked();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
