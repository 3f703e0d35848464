/**
 * Bounds the memory of sync replies: a client could request many long ones and read none of them. Few are made at the
 * same time for a user, and none while the user has much unread.
 */
import type { ServerResponse } from 'node:http';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import {
  type SettledPositions,
  type StreamPositions,
  settledPositions,
} from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Waiting } from './waiting.ts';

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

/** Looking, and looking again whenever there may be something new, until there is or time is up. */

export type PollContext = { clock: Clock; waiting: Waiting; settled: Settled; syncReplies: SyncReplies };

export type Settled = {
  /** Gives the settled places: those who ask at the same time share one query. */
  (): Promise<SettledPositions>;
  /**
   * Whether there is as much as a client has been told of. There is less where the data is older than that, such as
   * after the restore of a backup.
   */
  reach(told: Partial<StreamPositions>): Promise<boolean>;
};

export function createSettled(db: Database): Settled {
  let asked: Promise<SettledPositions> | undefined;
  let last: StreamPositions = { events: 0, changes: 0 };
  const settled = () => {
    // Everyone who was woken by the same thing asks before the query begins.
    asked ??= Promise.resolve().then(async () => {
      asked = undefined;
      const places = await settledPositions(db);
      last = places;
      return places;
    });
    return asked;
  };
  const reach = ({ events = 0, changes = 0 }: Partial<StreamPositions>, places: StreamPositions) =>
    events <= places.events && changes <= places.changes;
  return Object.assign(settled, {
    reach: async (told: Partial<StreamPositions>) => reach(told, last) || reach(told, await settled()),
  });
}

type Poll = {
  userId: string;
  /** A room that the user is not in, and looks into. */
  peekedRoom?: string | undefined;
  /** How long to wait for something, in milliseconds; 0 for looking once. */
  timeout: number;
  client: WaitingClient;
};

export type WaitingClient = {
  /** Calls back when the client is gone. */
  whenGone(callback: () => void): void;
  /** Asks again who it is. @throws MatrixError 401 for one whose access has ended meanwhile */
  identifyAgain(): Promise<void>;
};

/** The longest that a client waits, in milliseconds, whatever it asks for. */
const longestWait = 10 * 60_000;
/** While something is on its way that may be what woke: the pauses between two looks, in milliseconds. */
const firstPause = 10;
const longestPause = 500;

/**
 * Reads until there is something; gives nothing to a client that is gone, and none of it to one whose access has ended.
 *
 * @param read reads up to the settled places; undefined where there is nothing and it is to go on
 * @throws MatrixError 401 where the access of a client that has waited has ended meanwhile
 */
export async function longPoll<Answer>(
  { clock, waiting, settled }: Pick<PollContext, 'clock' | 'waiting' | 'settled'>,
  { userId, peekedRoom, timeout, client }: Poll,
  read: (upTo: SettledPositions, isLast: boolean) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  if (timeout <= 0) return read(await settled(), true);
  const end = clock.monotonic() + Math.min(timeout, longestWait);
  const waiter = waiting.begin(userId, peekedRoom);
  client.whenGone(() => waiter.leave());
  let hasWaited = false;
  try {
    let pause = firstPause;
    let wanted: SettledPositions | undefined;
    for (;;) {
      const upTo = await settled();
      if (waiter.isGone) return undefined;
      const left = end - clock.monotonic();
      const isLast = left <= 0 || waiter.isOver;
      const answer = await read(upTo, isLast);
      if (answer !== undefined || isLast) {
        // After what was read: whatever in it is newer than the end of an access isn't told.
        if (hasWaited) await client.identifyAgain();
        return answer;
      }
      hasWaited = true;
      // What woke may have come behind something that isn't through yet, of which nobody will tell this one.
      wanted ??= upTo;
      const isBehind = upTo.events < wanted.newestEvent || upTo.changes < wanted.newestChange;
      if (!isBehind) {
        await waiter.next(left);
        [wanted, pause] = [undefined, firstPause];
      } else {
        await waiter.next(Math.min(left, pause));
        pause = Math.min(pause * 2, longestPause);
      }
    }
  } finally {
    waiter.end();
  }
}
