/** Wakes large rooms one after the other, with a pause for each member, to limit how many syncs look in a second. */
import type { Clock } from '../core/clock.ts';

/** In milliseconds. */
const pausePerMember = 10;

export type PacedWakes = {
  /** Wakes a room once, after those before it. */
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
