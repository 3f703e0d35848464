/** How much is under way at once for each of very many, such as users and hosts. */
import pLimit, { type LimitFunction } from 'p-limit';

/** @param most how much may be under way at once under one name; more of it waits */
export function limitsByName(most: number) {
  const limits = new Map<string, LimitFunction>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const limit = limits.get(name) ?? pLimit(most);
    limits.set(name, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(name);
    }
  };
}
