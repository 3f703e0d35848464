/**
 * That people write. It is worth little and comes often: nobody waits until it is kept, and it needn't outlive the
 * server. Matrix specification, client-server API, "Typing Notifications".
 */
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import type { Notifier } from '../core/notifier.ts';
import { settledChange } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../database/transaction.ts';
import { findMembership } from '../rooms/membership-store.ts';
import { endTyping, forgetTyping, nextTypingEnd, setTyping } from './typing-store.ts';
import { createWriteBehind } from './write-behind.ts';

/** The longest that somebody writes without saying so again, in milliseconds. */
const longest = 120_000;
/** How often it is looked at the latest who has stopped: processes that have died leave some. In milliseconds. */
const sweepInterval = 30_000;
/** Who ended so many changes ago needn't be remembered: whoever has been away for longer is shown who writes now. */
const remembered = 100_000;
const forgottenAtOnce = 500;

export type Typing = {
  /**
   * Notes that somebody writes, for so many milliseconds or until they say otherwise.
   *
   * @throws MatrixError 403 for who isn't in the room
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
  /** When who stopped long ago is forgotten next. */
  let cleanAt = 0;

  const wakeAll = (tx: Tx, roomIds: Iterable<string>) =>
    afterCommit(tx, () => {
      for (const roomId of roomIds) notifier.wake('rooms', roomId);
    });

  const changes = createWriteBehind<{ roomId: string; userId: string; untilTs: number }>(
    log,
    'typing',
    (batch) =>
      inTransaction(db, async (tx) => {
        wakeAll(
          tx,
          await setTyping(
            tx,
            batch.map(([, change]) => change),
            clock.now(),
          ),
        );
      }),
  );

  const set = (roomId: string, userId: string, untilTs: number) =>
    changes.put(`${roomId} ${userId}`, { roomId, userId, untilTs });

  /** Gives in how many milliseconds to do it again. */
  async function sweep(): Promise<number> {
    await changes.settle();
    await inTransaction(db, async (tx) => wakeAll(tx, await endTyping(tx, clock.now(), longest)));
    if (clock.now() >= cleanAt) {
      cleanAt = clock.now() + 10 * sweepInterval;
      await forgetTyping(db, forgottenAtOnce, (await settledChange(db)) - remembered);
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
      await changes.settle();
    },
  };
}

export const othersTyping = () =>
  new MatrixError(400, 'M_FORBIDDEN', "Cannot set another user's typing state");
