/** Waiting that can be cut short. */
export type Alarm = ReturnType<typeof alarm>;

export function alarm() {
  const waiting = new Set<() => void>();
  let rang = false;
  return {
    /** Who waits goes on now; where nobody does, the next who would wait goes on at once. */
    ring() {
      rang = waiting.size === 0;
      for (const goOn of [...waiting]) goOn();
    },
    /** Goes on after some milliseconds, when it rings, or when the signal is aborted. @returns whether all of it passed */
    wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
      return new Promise((resolve) => {
        const goOn = (passed: boolean) => {
          clearTimeout(timer);
          waiting.delete(cutShort);
          signal.removeEventListener('abort', cutShort);
          resolve(passed);
        };
        const cutShort = () => goOn(false);
        const timer = setTimeout(() => goOn(true), milliseconds);
        waiting.add(cutShort);
        signal.addEventListener('abort', cutShort);
        if (rang || signal.aborted) cutShort();
        rang = false;
      });
    },
  };
}
