import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How long the longest turn of this thread's loop was while something was done, in milliseconds of processor
 * time: what other programs do to the machine meanwhile is not in it.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let timer: NodeJS.Timeout;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    // Every millisecond is enough, and leaves the processor to what is waited for.
    timer = setTimeout(look, 1);
  };
  timer = setTimeout(look, 1);
  try {
    await work();
    // The turn in which the work ended is one, too.
    await nextTurn();
    look();
  } finally {
    clearTimeout(timer);
  }
  return longest;
}
