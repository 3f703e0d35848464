/** Long polling: reads again at each wake until there is something new, or until the timeout. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import {
  type SettledPositions,
  type StreamPositions,
  settledPositions,
} from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { whenClosed } from '../../platform/http/send-json.ts';
import type { Waiting } from './waiting.ts';

export type PollContext = { clock: Clock; waiting: Waiting; settled: Settled; syncReplies: SyncReplies };

type Poll = {
  userId: string;
  /** A room that the user isn't in, and previews. */
  peekedRoom?: string | undefined;
  /** In milliseconds; 0 reads once. */
  timeout: number;
};

/** Maximum timeout, in milliseconds. */
const maxTimeout = 10 * 60_000;
/** Delays between reads while changes before the newest one aren't settled yet, in milliseconds. */
const firstDelay = 10;
const maxDelay = 500;

/**
 * Returns the first response body that `read` returns, or undefined if the client has disconnected.
 *
 * @param read reads up to the settled positions; may return undefined to wait, unless it is the last call
 * @throws MatrixError 401 if the client's access ended while it waited; 429 if it leaves too many responses unread
 */
export async function longPoll(
  { clock, waiting, settled, syncReplies }: PollContext,
  reply: FastifyReply,
  { userId, peekedRoom, timeout }: Poll,
  read: (upTo: SettledPositions, isLast: boolean) => Promise<string | undefined>,
): Promise<string | undefined> {
  const readOnce = (upTo: SettledPositions, isLast: boolean) =>
    syncReplies.make(userId, reply.raw, () => read(upTo, isLast));
  const leave = waiting.enter();
  try {
    if (timeout <= 0) return await readOnce(await settled(), true);
    return await readUntilNews(timeout);
  } finally {
    leave();
  }

  async function readUntilNews(timeout: number): Promise<string | undefined> {
    const end = clock.monotonic() + Math.min(timeout, maxTimeout);
    const waiter = waiting.begin(userId, peekedRoom);
    whenClosed(reply.raw, () => waiter.leave());
    let hasWaited = false;
    try {
      let delay = firstDelay;
      let target: SettledPositions | undefined;
      for (;;) {
        const upTo = await settled();
        if (waiter.isGone) return undefined;
        const left = end - clock.monotonic();
        const isLast = left <= 0 || waiter.isOver;
        const body = await readOnce(upTo, isLast);
        if (body !== undefined || isLast) {
          // After reading: a client whose access has ended must not get newer data.
          if (hasWaited) await reply.request.identifyAgain();
          return body;
        }
        hasWaited = true;
        // The change that woke this request may be behind one that isn't settled, and whose commit wakes others only.
        target ??= upTo;
        const isBehind = upTo.events < target.newestEvent || upTo.changes < target.newestChange;
        if (!isBehind) {
          await waiter.next(left);
          [target, delay] = [undefined, firstDelay];
        } else {
          await waiter.next(Math.min(left, delay));
          delay = Math.min(delay * 2, maxDelay);
        }
      }
    } finally {
      waiter.end();
    }
  }
}

export type Settled = {
  /** Returns the settled positions; concurrent calls share a query. */
  (): Promise<SettledPositions>;
  /** Whether these positions exist. They may not after a restore of an older backup. */
  reach(positions: Partial<StreamPositions>): Promise<boolean>;
};

export function createSettled(db: Database): Settled {
  let pending: Promise<SettledPositions> | undefined;
  let last: StreamPositions = { events: 0, changes: 0 };
  const settled = () => {
    // Requests that the same change woke all call before the query starts.
    pending ??= Promise.resolve().then(async () => {
      pending = undefined;
      const positions = await settledPositions(db);
      last = positions;
      return positions;
    });
    return pending;
  };
  const isReached = ({ events = 0, changes = 0 }: Partial<StreamPositions>, positions: StreamPositions) =>
    events <= positions.events && changes <= positions.changes;
  return Object.assign(settled, {
    reach: async (positions: Partial<StreamPositions>) =>
      isReached(positions, last) || isReached(positions, await settled()),
  });
}

export type SyncReplies = {
  /**
   * Limits the memory of responses: a client could request many large ones and read none. Returns undefined if the
   * client has disconnected, or if the work returns it.
   *
   * @throws MatrixError 429 if the user has too much unread; errors of the work
   */
  make(
    userId: string,
    response: ServerResponse,
    work: () => Promise<string | undefined>,
  ): Promise<string | undefined>;
};

const maxConcurrentPerUser = 2;
/** In characters. Enough for a few devices that start at the same time, each with a large response. */
const maxUnread = 32_000_000;
/** Smaller responses aren't counted. */
const minCounted = 64_000;

export function createSyncReplies(): SyncReplies {
  const limiter = createLimiter({ perKey: maxConcurrentPerUser });
  const unread = new Map<string, number>();

  function addUnread(userId: string, response: ServerResponse, length: number): void {
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
        if (length >= minCounted && !response.destroyed) addUnread(userId, response, length);
        return body;
      }),
  };
}
