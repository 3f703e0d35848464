import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';

/** Maximum delay that one client may cause for others, in milliseconds. */
export const mostTurn = 250;

/**
 * Returns this thread's longest event loop turn during `work`, in milliseconds of processor time. Other programs on
 * the machine don't count.
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
    // Includes the turn in which the work ended.
    await nextTurn();
  } finally {
    underway = false;
  }
  return longest;
}

/**
 * Checks that a reply of any size is created and written in turns shorter than the limit, in milliseconds. On a slow
 * computer, which takes longer for all of it, no turn may take more than a tenth of the whole.
 */
export async function expectShortTurns(limit: number, ask: () => Promise<Response>): Promise<void> {
  const turns: number[] = [];
  let allowed = limit;
  // Repeats the measurement because some turns include garbage collection.
  while (turns.length < 4 && turns.every((turn) => turn >= allowed)) {
    const before = process.threadCpuUsage();
    const turn = await longestTurn(async () => {
      // Doesn't parse the body: parsing it at once would be a long turn in this test.
      for await (const _piece of (await ask()).body ?? []);
    });
    const { user, system } = process.threadCpuUsage(before);
    allowed = Math.max(limit, (user + system) / 10_000);
    turns.push(turn);
  }
  expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(allowed);
}
