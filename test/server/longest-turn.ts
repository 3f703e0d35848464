import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';

/** How long one client may keep the others waiting, in milliseconds. */
export const mostTurn = 250;

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

/** Whether a reply, however large, is made and written in turns that are shorter than so many milliseconds each. */
export async function expectShortTurns(limit: number, ask: () => Promise<Response>): Promise<void> {
  const turns: number[] = [];
  // Memory is tidied up in one of them or another; what is done at once is so each time.
  while (turns.length < 4 && turns.every((turn) => turn >= limit)) {
    const turn = await longestTurn(async () => {
      // To understand it all at once would be this client's long turn.
      for await (const _piece of (await ask()).body ?? []);
    });
    turns.push(turn);
  }
  expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(limit);
}
