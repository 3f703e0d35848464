import type { Clock } from '../core/clock.ts';

export type Waiter = {
  wake(): void;
  /** Waits for the next wake, or one since the last call, for at most this many milliseconds. */
  next(milliseconds: number): Promise<void>;
};

/** For a single waiting caller. */
export function createWaiter(clock: Clock): Waiter {
  let isWoken = false;
  let resume = () => {};
  return {
    wake() {
      isWoken = true;
      resume();
    },
    async next(milliseconds) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(milliseconds, resolve);
          resume = () => {
            cancel();
            resolve();
          };
        });
        resume = () => {};
      }
      isWoken = false;
    },
  };
}
