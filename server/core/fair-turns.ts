/** Work that takes long, a few pieces at once: everyone who asks has a turn after the other, however much one of them asks for. */

export type FairTurns = {
  /**
   * Does it when its turn has come.
   *
   * @param name who asks
   * @returns undefined where too much waits already, of the one who asks or of all
   */
  take<Result>(name: string, work: () => Promise<Result>): Promise<{ result: Result } | undefined>;
};

/**
 * @param width how many are done at once
 * @param maximum how many may wait for each who asks, and for all of them together
 */
export function createFairTurns(width: number, maximum: { each: number; all: number }): FairTurns {
  /** By who asks, whose turn comes first standing first. */
  const waiting = new Map<string, (() => void)[]>();
  let inLine = 0;
  let underway = 0;

  function begin(): void {
    while (underway < width) {
      const [next] = waiting;
      if (!next) return;
      const [name, [first, ...others]] = next;
      // Whoever had a turn stands behind everyone else.
      waiting.delete(name);
      if (others.length > 0) waiting.set(name, others);
      inLine--;
      underway++;
      first?.();
    }
  }

  return {
    async take(name, work) {
      const own = waiting.get(name) ?? [];
      if (own.length >= maximum.each || inLine >= maximum.all) return undefined;
      await new Promise<void>((resolve) => {
        waiting.set(name, [...own, resolve]);
        inLine++;
        begin();
      });
      try {
        return { result: await work() };
      } finally {
        underway--;
        begin();
      }
    },
  };
}
