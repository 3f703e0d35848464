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
    /** Goes on after some milliseconds, when it rings, or when the signal is aborted. */
    wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const goOn = () => {
          clearTimeout(timer);
          waiting.delete(goOn);
          signal.removeEventListener('abort', goOn);
          resolve();
        };
        const timer = setTimeout(goOn, milliseconds);
        waiting.add(goOn);
        signal.addEventListener('abort', goOn);
        if (rang || signal.aborted) goOn();
        rang = false;
      });
    },
  };
}
