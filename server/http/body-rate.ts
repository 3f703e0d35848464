/**
 * A smallest rate for bodies: what comes slowly but steadily may take its time, and whoever stops sending
 * doesn't hold a connection for good.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { refuseOn } from './before-routing.ts';
import type { App } from './routes.ts';

/** How often it is looked whether enough has come, in milliseconds. */
const interval = 20_000;
/** What has to come meanwhile, in bytes: 200 a second. */
const minimum = 4_000;

/** Ends every request of the app whose body comes more slowly, with 408 `M_UNKNOWN`. */
export function requireBodyRate(app: App, clock: Clock): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
    if (Number(length) > 0 || encoding !== undefined) {
      watch(request.raw, clock, () =>
        request.log.info(
          `${request.method} ${request.routeOptions.url ?? '?'}: closed the connection: request body too slow`,
        ),
      );
    }
    done();
  });
}

function watch(request: IncomingMessage, clock: Clock, say: () => void): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const look = () => {
    if (request.complete) return;
    const came = socket.bytesRead - seen;
    // What has come and was not read yet waits for this server, not for the client.
    if (came < minimum && request.readableLength === 0) {
      say();
      refuseOn(socket, { status: 408, errcode: 'M_UNKNOWN', error: 'The request body arrived too slowly' });
      return;
    }
    seen = socket.bytesRead;
    cancel = clock.after(interval, look);
  };
  let cancel = clock.after(interval, look);
  const end = () => {
    cancel();
    socket.off('close', end);
  };
  request.once('close', end);
  // One that had its reply before it had come as a whole doesn't close with its connection.
  socket.once('close', end);
}
