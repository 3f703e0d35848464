/** Lines in which work waits until it is its turn, each by the name of those who stand in it. */

type Line = { running: number; waiting: (() => void)[] };

/** @param atOnce how much of one line is done at once */
export function createLines(
  atOnce: number,
): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const lines = new Map<string, Line>();
  return async (name, work) => {
    const line = lines.get(name) ?? { running: 0, waiting: [] };
    lines.set(name, line);
    if (line.running < atOnce) line.running++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // Whose turn it is now takes the place over.
      if (next) next();
      else if (--line.running === 0) lines.delete(name);
    }
  };
}
