import { expect, test } from 'vitest';
import { createTestClock } from '../../../server/administration/testing/test-clock.ts';

const hour = 3_600_000;

test('due callbacks run once and in order, those added later in time', () => {
  const clock = createTestClock();
  const calls: string[] = [];
  const again = () => {
    calls.push('again');
    clock.after(10 * hour, again);
  };
  clock.after(2 * hour, () => calls.push('second'));
  clock.after(hour, again);
  const cancel = clock.after(hour, () => calls.push('cancelled'));
  cancel();
  clock.advance(3 * hour);
  expect(calls).toEqual(['again', 'second']);
  clock.advance(11 * hour);
  expect(calls).toEqual(['again', 'second', 'again']);
});

test('a callback may cancel another due one', () => {
  const clock = createTestClock();
  let isCalled = false;
  let cancel = () => {};
  clock.after(1000, () => cancel());
  cancel = clock.after(2000, () => {
    isCalled = true;
  });
  clock.advance(hour);
  expect(isCalled).toBe(false);
});

test('a frozen clock moves only when advanced or set, and then runs on', () => {
  const clock = createTestClock();
  clock.set(1_000_000);
  clock.freeze(true);
  expect(clock.now()).toBeGreaterThanOrEqual(1_000_000);
  clock.set(2_000_000);
  clock.advance(500);
  expect(clock.now()).toBe(2_000_500);
  clock.freeze(false);
  expect(clock.now()).toBeGreaterThanOrEqual(2_000_500);
  expect(clock.now()).toBeLessThan(2_000_500 + hour);
});

test('timers run in real time', async () => {
  const clock = createTestClock();
  clock.freeze(true);
  await new Promise<void>((resolve) => clock.after(5, resolve));
});
