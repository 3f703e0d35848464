/** Waits with a timeout whose error names the pending step, before the test itself times out. */
import { patience } from '../patience.ts';

/** @throws Error with the name of the step if it takes longer than `patience` */
export async function inTime<Result>(name: string, promise: Promise<Result>): Promise<Result> {
  // Created here, so that the stack trace has the caller's line.
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

/** Returns a proxy of the object whose promises time out. */
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
