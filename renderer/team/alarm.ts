/** Waiting that can be cut short. */
export type Alarm = ReturnType<typeof alarm>;

export function alarm() {
  const waiting = new Set<() => void>();
  return {
    /** Everyone who waits goes on now. */
    ring() {
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
        if (signal.aborted) goOn();
      });
    },
  };
}
