/** Where one goes on after a report is resolved. */
import { expect, test } from 'vitest';
import { pendingMarksIn } from '../../renderer/actions/undo-marks.ts';
import { firstFitting } from '../../renderer/features/reports/desk/report-rows.ts';

const rows = { at: (row: number) => [{ id: 5 }, undefined, { id: 3 }, { id: 2 }][row] };

test.each([
  ['the first that fits', 2, 4, [3, 2], { row: 2, isKnown: true }],
  ['past one that does not', 2, 4, [2], { row: 3, isKnown: true }],
  ['none before the end', 2, 3, [2], undefined],
  ['one that is not loaded', 0, 4, [3], { row: 1, isKnown: false }],
])('%s', (_case, start, end, open, expected) => {
  expect(firstFitting(rows, start, end, ({ id }) => open.includes(id))).toEqual(expected);
});

test('the reports that a running job resolves are no longer open', () => {
  const item = {
    kind: 'user',
    userId: '@eve:x',
    reports: [1, 2],
    further: [
      { of: 'report', reports: [3] },
      { of: 'user_report', reports: [4] },
    ],
  } as const;
  const items = [{ item: structuredClone(item), state: 'waiting', transaction: 't' }] as never;
  const job = (markReviewed: boolean, state: 'running' | 'ended' = 'running') =>
    ({ state, direction: 'do', answers: { reason: '', fields: { markReviewed } }, items }) as const;
  expect([...pendingMarksIn([job(true)], 'report')]).toEqual([1, 2, 3]);
  expect([...pendingMarksIn([job(true)], 'user_report')]).toEqual([4]);
  expect([...pendingMarksIn([job(false)], 'report')]).toEqual([3]);
  expect([...pendingMarksIn([job(true, 'ended')], 'report')]).toEqual([]);
});
