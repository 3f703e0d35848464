import type { Clock } from '../server/core/clock.ts';

export type ManualClock = Clock & {
  /** Moves the time on and calls back whatever became due on the way, in order. */
  advance(milliseconds: number): void;
};

/** A clock that stands still until a test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const timers = new Set<{ due: number; callback: () => void }>();
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        timers.delete(next);
        now = next.due;
        next.callback();
      }
      now = end;
    },
  };
}
