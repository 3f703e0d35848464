import type { Clock } from '../server/core/clock.ts';

export type ManualClock = Clock & {
  /** Moves the time on and calls back whatever became due on the way, in order. */
  advance(milliseconds: number): void;
  /** What happens when somebody corrects the time: it is earlier than it was, and what passes goes on passing. */
  setBack(milliseconds: number): void;
};

/** A clock that stands still until a test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = 0;
  let epoch = start;
  const timers = new Set<{ due: number; callback: () => void }>();
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
        const [next] = [...timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due);
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
