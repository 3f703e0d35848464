/**
 * What the replies of syncs take of memory. One may be very long, and somebody who asks for many at once and reads none
 * of them would have all of those kept: few are made at once for a user, and none where much waits already.
 */
import type { ServerResponse } from 'node:http';
import { createLines } from '../core/lines.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { lengthOf } from '../http/send-json.ts';

export type SyncReplies = {
  /**
   * Makes a reply, which may be in pieces, when it is the user's turn; gives nothing where the work does, or the client
   * is gone by then.
   *
   * @throws MatrixError 429 where too much waits to be read by the user already; what the work throws
   */
  make<Body extends string | readonly string[]>(
    userId: string,
    response: ServerResponse,
    work: () => Promise<Body | undefined>,
  ): Promise<Body | undefined>;
};

const madeAtOnce = 2;
/** So many characters may wait before nothing more is made: a few devices begin at the same time, each with a long reply. */
const mostWaiting = 32_000_000;
/** Shorter replies are not worth counting. */
const long = 64_000;

export function createSyncReplies(): SyncReplies {
  const inLine = createLines(madeAtOnce);
  const unread = new Map<string, number>();

  function count(userId: string, response: ServerResponse, length: number): void {
    unread.set(userId, (unread.get(userId) ?? 0) + length);
    response.once('close', () => {
      const left = (unread.get(userId) ?? 0) - length;
      if (left > 0) unread.set(userId, left);
      else unread.delete(userId);
    });
  }

  return {
    make: (userId, response, work) =>
      inLine(userId, async () => {
        if (response.destroyed) return undefined;
        if ((unread.get(userId) ?? 0) >= mostWaiting) {
          const refusal = 'Too many responses for this account are waiting to be read';
          throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 1000 });
        }
        const body = await work();
        const length = lengthOf(body ?? '');
        if (length >= long && !response.destroyed) count(userId, response, length);
        return body;
      }),
  };
}
