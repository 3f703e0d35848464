import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';

/** Maximum delay that one client may cause for others, in milliseconds. */
export const mostTurn = 250;

const items = JSON.stringify(Array.from({ length: 15_000 }, (_, id) => ({ id, name: `name ${id}` })));
/** Processor time of `readItems` on a computer of medium speed, in milliseconds. */
const usual = 8;
function readItems() {
  for (let round = 0; round < 2; round++)
    new Map(JSON.parse(items).map(({ id, name }: { id: number; name: string }) => [name, id]));
}

const processorTime = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

/** Returns how many times slower than usual this thread is at the moment, at least 1. */
function slowness(): number {
  const before = process.threadCpuUsage();
  readItems();
  return Math.max(1, processorTime(before) / usual);
}

/**
 * Returns this thread's longest event loop turn during `work`, in milliseconds of processor time on a computer of
 * medium speed. Other programs on the machine don't count.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let underway = true;
  const look = () => {
    longest = Math.max(longest, processorTime(before));
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
  return longest / slowness();
}

/** Checks that a reply of any size is created and written in turns shorter than the limit, in milliseconds. */
export async function expectShortTurns(limit: number, ask: () => Promise<Response>): Promise<void> {
  const turns: number[] = [];
  // Repeats the measurement because some turns include garbage collection.
  while (turns.length < 4 && turns.every((turn) => turn >= limit)) {
    turns.push(
      await longestTurn(async () => {
        // Doesn't parse the body: parsing it at once would be a long turn in this test.
        for await (const _piece of (await ask()).body ?? []);
      }),
    );
  }
  expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(limit);
}
