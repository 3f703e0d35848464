import { afterEach, expect, test, vi } from 'vitest';
import { type PlannedRow, runImport } from '../../renderer/features/users/import/run-import.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { ConnectionFailure } from '../../shared/connection.ts';

afterEach(() => void vi.useRealTimers());

test('a slow server gets one request at a time, and the import continues', async () => {
  vi.useFakeTimers();
  let [inFlight, sent] = [0, 0];
  const loads: number[] = [];
  const send = async () => {
    inFlight++;
    const isSlow = ++sent <= 4;
    loads.push(inFlight);
    await new Promise((resolve) => setTimeout(resolve, isSlow ? 60_000 : 5_000));
    inFlight--;
    if (isSlow) throw new ConnectionFailure('timeout', 'No response', {});
    return {};
  };
  const server = { get: async () => ({ available: true }), send } as unknown as Server;
  const rows = Array.from(
    { length: 10 },
    (_, index): PlannedRow => ({
      line: index + 1,
      userId: `@u${index}:s`,
      localpart: `u${index}`,
      faults: [],
      does: 'create',
    }),
  );
  const outcomes: string[] = [];
  const run = runImport(server, rows, {
    conflict: 'skip',
    hasPasswords: true,
    passwordOf: () => undefined,
    signal: new AbortController().signal,
    onResult: (_row, { outcome }) => outcomes.push(outcome),
  });
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await run).toBeUndefined();
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 'created'));
  expect(loads.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(Math.max(...loads.slice(4))).toBe(1);
});
