/**
 * Waking large rooms for what few of those in them wait for: one room after the other, and after each a pause that grows
 * with it, so that however many are in them only so many look again in a second.
 */
import type { Clock } from '../core/clock.ts';

/** For each who is in the room, in milliseconds. */
const pausePerMember = 10;

export type PacedWakes = {
  /** Has a room woken once, now or when those before it have been. */
  put(roomId: string, members: number): void;
  stop(): void;
};

export function createPacedWakes(clock: Clock, wake: (roomId: string) => void): PacedWakes {
  const pending = new Map<string, number>();
  let cancel: (() => void) | undefined;

  function wakeNext(): void {
    cancel = undefined;
    const next = pending.entries().next();
    if (next.done) return;
    const [roomId, members] = next.value;
    pending.delete(roomId);
    wake(roomId);
    cancel = clock.after(members * pausePerMember, wakeNext);
  }

  return {
    put(roomId, members) {
      pending.set(roomId, members);
      if (!cancel) wakeNext();
    },
    stop() {
      pending.clear();
      cancel?.();
    },
  };
}
