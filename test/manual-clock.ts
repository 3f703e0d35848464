import type { Clock } from '../server/platform/core/clock.ts';

export type ManualClock = Clock & {
  /** Moves the time on and calls back whatever became due on the way, in order. */
  advance(milliseconds: number): void;
  /** What happens when somebody corrects the time: it is earlier than it was, and what passes goes on passing. */
  setBack(milliseconds: number): void;
};

type Timer = { due: number; callback: () => void };

/** A clock that stands still until a test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = 0;
  let epoch = start;
  const timers = new Set<Timer>();
  return {
    now: () => epoch + now,
    monotonic: () => now,
    databaseTime: () => epoch + now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        let next: Timer | undefined;
        for (const timer of timers) if (timer.due < (next?.due ?? end + 1)) next = timer;
        if (!next) break;
        timers.delete(next);
        now = next.due;
        next.callback();
      }
      now = end;
    },
    setBack(milliseconds) {
      epoch -= milliseconds;
    },
  };
}
