import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How long the longest turn of this thread's loop was while something was done, in milliseconds of processor
 * time: what other programs do to the machine meanwhile is not in it.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let underway = true;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (underway) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
    // The turn in which the work ended is one, too.
    await nextTurn();
  } finally {
    underway = false;
  }
  return longest;
}
