/**
 * Bounds the memory of sync replies: a client could request many long ones and read none of them. Few are made at the
 * same time for a user, and none while the user has much unread.
 */
import type { ServerResponse } from 'node:http';
import { createLimiter } from '../core/limiter.ts';
import { MatrixError } from '../core/matrix-error.ts';

export type SyncReplies = {
  /**
   * Makes a reply. Returns undefined if the client has left, or the work does.
   *
   * @throws MatrixError 429 if the user has too much unread; whatever the work throws
   */
  make(
    userId: string,
    response: ServerResponse,
    work: () => Promise<string | undefined>,
  ): Promise<string | undefined>;
};

const maxConcurrentPerUser = 2;
/** In characters. Enough for a few devices that start at the same time, each with a long reply. */
const maxUnread = 32_000_000;
/** Shorter replies aren't counted. */
const minCounted = 64_000;

export function createSyncReplies(): SyncReplies {
  const limiter = createLimiter({ perKey: maxConcurrentPerUser });
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
      limiter.run(userId, async () => {
        if (response.destroyed) return undefined;
        if ((unread.get(userId) ?? 0) >= maxUnread) {
          const refusal = 'Too many responses for this account are waiting to be read';
          throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 1000 });
        }
        const body = await work();
        const length = body?.length ?? 0;
        if (length >= minCounted && !response.destroyed) count(userId, response, length);
        return body;
      }),
  };
}
