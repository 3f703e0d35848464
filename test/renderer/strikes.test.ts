import { expect, test } from 'vitest';
import type { Item } from '../../renderer/actions/items.ts';
import { strikeOf } from '../../renderer/actions/jobs/job.ts';

const user = (userId: string, ...reports: number[]): Item => ({ kind: 'user', userId, reports });

/** Returns the ID of the strike that a job adds. */
function strike(id: string, items: Item[], { action = 'suspend-user', policy = 'spam' } = {}) {
  const fields = { policy, strikeWeight: 1, strikeUntil: 0 };
  const entries = items.map((item) => ({ item, state: 'done' as const, transaction: id }));
  return strikeOf({ id, action, answers: { reason: id, fields }, items: entries })?.id;
}

test('two moderators who decide a report in the same way at once add the same strike', () => {
  const first = strike('a', [user('@m:h', 12, 15)]);
  expect(strike('b', [user('@m:h', 15, 12)])).toBe(first);
  const steps = [user('@m:h', 12), user('@m:h', 12)];
  expect(strike('b', steps)).toBe(first);
  expect(strike('b', [user('@m:h', 13)])).not.toBe(first);
  expect(strike('b', [user('@m:h', 12)], { action: 'warn-user' })).not.toBe(first);
  expect(strike('b', [user('@m:h', 12)], { policy: 'threats' })).not.toBe(first);
  expect(strike('b', [{ ...user('@m:h', 12), reportKind: 'user_report' } as Item])).not.toBe(first);
});

test('without a report, and against several users, a strike belongs to its job', () => {
  expect(strike('a', [user('@m:h')])).toBe('a');
  expect(strike('a', [user('@m:h', 12), user('@n:h', 13)])).toBe('a');
});
