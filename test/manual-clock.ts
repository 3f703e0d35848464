import type { Clock } from '../server/platform/core/clock.ts';

export type ManualClock = Clock & {
  /** Advances the time and runs due timers in order. */
  advance(milliseconds: number): void;
  /** Sets the wall clock back. Monotonic time isn't affected. */
  setBack(milliseconds: number): void;
};

type Timer = { due: number; callback: () => void };

/** Creates a clock that only moves when a test advances it. */
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
