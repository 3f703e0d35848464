/**
 * Typing notifications: frequent and short-lived, so no request waits for the write. Client-server API, "Typing
 * Notifications".
 */
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { createWriteBehind } from '../../platform/concurrency/write-behind.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import { settledChangePosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { findMembership } from '../rooms/membership/membership-store.ts';
import { endTyping, forgetTyping, nextTypingEnd, setTyping, type TypingChange } from './typing-store.ts';

/** The longest timeout of a notification, in milliseconds. */
const longest = 120_000;
/** How often expired notifications are looked for at least, in milliseconds: dead processes leave some. */
const sweepInterval = 30_000;
/** Ended notifications are deleted after this many changes: older sync tokens get all current ones instead. */
const retainedChanges = 100_000;
const deletedAtOnce = 500;

export type Typing = {
  /**
   * Shows that a user is typing, for this many milliseconds or until `end`.
   *
   * @throws MatrixError 403 if the user isn't in the room
   */
  begin(roomId: string, userId: string, milliseconds: number): Promise<void>;
  /** @throws MatrixError 403 */
  end(roomId: string, userId: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Context = { db: Database; clock: Clock; log: Log; notifier: Notifier };

export function createTyping({ db, clock, log, notifier }: Context): Typing {
  let cancelSweep = () => {};
  let sweepAt = Number.POSITIVE_INFINITY;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = true;
  /** When ended notifications are next deleted. */
  let cleanAt = 0;

  const wakeAll = (tx: Tx, roomIds: Iterable<string>) =>
    afterCommit(tx, () => {
      for (const roomId of roomIds) notifier.wake('rooms', roomId);
    });

  const changes = createWriteBehind<TypingChange>({ clock, log }, "typing: couldn't save changes", (batch) =>
    inTransaction(db, async (tx) => {
      wakeAll(tx, await setTyping(tx, batch, clock.now()));
    }),
  );

  const set = (roomId: string, userId: string, untilTs: number) =>
    changes.put(`${roomId} ${userId}`, { roomId, userId, untilTs });

  /** Returns in how many milliseconds to sweep again. */
  async function sweep(): Promise<number> {
    await changes.settle();
    await inTransaction(db, async (tx) => wakeAll(tx, await endTyping(tx, clock.now(), longest)));
    if (clock.now() >= cleanAt) {
      cleanAt = clock.now() + 10 * sweepInterval;
      await forgetTyping(db, deletedAtOnce, (await settledChangePosition(db)) - retainedChanges);
    }
    const next = (await nextTypingEnd(db)) ?? Number.POSITIVE_INFINITY;
    return Math.min(sweepInterval, Math.max(1, next - clock.now()));
  }

  function sweepIn(milliseconds: number): void {
    const at = clock.monotonic() + milliseconds;
    if (stopped || at >= sweepAt) return;
    cancelSweep();
    sweepAt = at;
    cancelSweep = clock.after(milliseconds, () => {
      sweepAt = Number.POSITIVE_INFINITY;
      sweeping = sweeping
        .then(sweep)
        .catch((err) => {
          log.warn({ err }, "typing: couldn't expire notifications:");
          return sweepInterval;
        })
        .then(sweepIn);
    });
  }

  async function requireMember(roomId: string, userId: string): Promise<void> {
    const membership = await findMembership(db, roomId, userId);
    if (membership?.membership !== 'join') throw forbidden(`User ${userId} not in room ${roomId}`);
  }

  return {
    async begin(roomId, userId, milliseconds) {
      await requireMember(roomId, userId);
      const span = Math.min(Math.max(milliseconds, 0), longest);
      set(roomId, userId, span === 0 ? 0 : clock.now() + span);
      sweepIn(span);
    },
    async end(roomId, userId) {
      await requireMember(roomId, userId);
      set(roomId, userId, 0);
    },
    start() {
      stopped = false;
      sweepIn(sweepInterval);
    },
    async stop() {
      stopped = true;
      cancelSweep();
      await sweeping;
      await changes.stop();
    },
  };
}
