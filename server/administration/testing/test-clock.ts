/** A clock for tests: it runs like the computer's, and can be advanced, set and frozen. */
import type { Clock } from '../../platform/core/clock.ts';

export type TestClock = Clock & {
  readonly isFrozen: boolean;
  /** Advances the time. Calls back due timers, in order. */
  advance(milliseconds: number): void;
  /** Sets the time of day. Timers aren't affected. */
  set(now: number): void;
  /** Freezes the time of day, or lets it run again. Timers keep running. */
  freeze(isFrozen: boolean): void;
  save(): ClockState;
  /** Only without timers. */
  restore(state: ClockState): void;
};

export type ClockState = { ahead: number; shift: number; frozenAt: number | undefined };

type Timer = { due: number; callback: () => void; handle: NodeJS.Timeout | undefined };

/** Node fires longer timers immediately; in milliseconds. */
const longestTimeout = 2 ** 31 - 1;

export function createTestClock(): TestClock {
  let state: ClockState = { ahead: 0, shift: 0, frozenAt: undefined };
  const timers = new Set<Timer>();

  const monotonic = () => performance.now() + state.ahead;
  const running = () => Math.round(Date.now() + state.ahead + state.shift);
  const now = () => state.frozenAt ?? running();

  function arm(timer: Timer): void {
    clearTimeout(timer.handle);
    const left = Math.min(Math.max(0, timer.due - monotonic()), longestTimeout);
    timer.handle = setTimeout(() => (timer.due <= monotonic() ? run(timer) : arm(timer)), Math.ceil(left));
  }

  function run(timer: Timer): void {
    clearTimeout(timer.handle);
    if (timers.delete(timer)) timer.callback();
  }

  return {
    now,
    monotonic,
    databaseTime: now,
    after(milliseconds, callback) {
      const timer: Timer = { due: monotonic() + milliseconds, callback, handle: undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        clearTimeout(timer.handle);
        timers.delete(timer);
      };
    },
    get isFrozen() {
      return state.frozenAt !== undefined;
    },
    advance(milliseconds) {
      const { ahead, frozenAt } = state;
      state = {
        ...state,
        ahead: ahead + milliseconds,
        frozenAt: frozenAt === undefined ? undefined : frozenAt + milliseconds,
      };
      const due = [...timers].filter((timer) => timer.due <= monotonic());
      for (const timer of due.sort((one, other) => one.due - other.due)) run(timer);
      for (const timer of timers) arm(timer);
    },
    set(time) {
      if (state.frozenAt !== undefined) state = { ...state, frozenAt: time };
      else state = { ...state, shift: state.shift + time - running() };
    },
    freeze(isFrozen) {
      if (isFrozen) state = { ...state, frozenAt: now() };
      else if (state.frozenAt !== undefined) {
        const { frozenAt } = state;
        state = { ...state, frozenAt: undefined, shift: state.shift + frozenAt - running() };
      }
    },
    save: () => state,
    restore(saved) {
      state = saved;
    },
  };
}
