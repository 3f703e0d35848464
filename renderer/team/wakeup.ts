export type Wakeup = ReturnType<typeof createWakeup>;

/** Creates an interruptible sleep. */
export function createWakeup() {
  const sleepers = new Set<() => void>();
  let isPending = false;
  return {
    /** Ends all sleeps, or the next one at once if there is none now. */
    wake() {
      isPending = sleepers.size === 0;
      for (const interrupt of [...sleepers]) interrupt();
    },
    /** Sleeps until the time has passed, `wake` or an abort. Returns false if it was interrupted. */
    sleep(milliseconds: number, signal: AbortSignal): Promise<boolean> {
      return new Promise((resolve) => {
        const finish = (passed: boolean) => {
          clearTimeout(timer);
          sleepers.delete(interrupt);
          signal.removeEventListener('abort', interrupt);
          resolve(passed);
        };
        const interrupt = () => finish(false);
        const timer = setTimeout(() => finish(true), milliseconds);
        sleepers.add(interrupt);
        signal.addEventListener('abort', interrupt);
        if (isPending || signal.aborted) interrupt();
        isPending = false;
      });
    },
  };
}
