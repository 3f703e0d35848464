/**
 * What long replies take of memory until they are read. How many there are of one user is for their routes to bound; here
 * it is what waits for all of them together.
 */
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { breakOffUnlessRead } from './break-off-unless-read.ts';
import { whenClosed } from './gone-signal.ts';
import type { App } from './routes.ts';
import { lengthOfPayload } from './send-json.ts';

/** Shorter replies are not worth counting. */
const long = 64_000;
/** In characters, of which one may take two bytes: what is being made needs memory as well. */
const mostUnread = getHeapStatistics().heap_size_limit / 8;
/** How often one of the pieces in which a reply leaves has to be taken, in milliseconds. */
const interval = 5 * 60_000;

/** Holds the replies of all routes that the app gets from now on to that bound, and ends those that nobody reads. */
export function boundUnreadReplies(app: App, clock: Clock, most = mostUnread): void {
  let unread = 0;
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    const length = lengthOfPayload(payload);
    if (length < long) return done();
    if (unread + length > most) {
      const refusal = 'Too many responses are waiting to be read';
      return done(new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 5000 }));
    }
    unread += length;
    whenClosed(raw, () => {
      unread -= length;
    });
    const { socket } = raw;
    if (socket) breakOffUnlessRead(raw, clock, interval, () => socket.bytesWritten - socket.writableLength);
    done();
  });
}
