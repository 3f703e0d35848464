/** Waits that end: what hangs is told by its name, before the test's own time is up. */
import { patience } from '../patience.ts';

/** @throws Error where it takes longer than tests wait, with the name of what was waited for */
export async function inTime<Result>(name: string, promise: Promise<Result>): Promise<Result> {
  // Made here, it names the line that waits.
  const tooLate = new Error(`${name} takes more than ${patience} ms`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate), patience);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same object, for whose promises nobody waits longer. */
export const eachInTime = <Target extends object>(target: Target): Target =>
  new Proxy(target, {
    get(of, name) {
      const value = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result = value.apply(of, given);
        return result instanceof Promise ? inTime(String(name), result) : result;
      };
    },
  });
