/** Finds the loaded reports that others deleted. */
import { expect, test } from 'vitest';
import type { AskReports } from '../../renderer/api/reports/report-source.ts';
import { goneReports } from '../../renderer/api/reports/report-walk.ts';

type Moment = { received_ts: number; id: number };
const moments = (ids: readonly number[]): Moment[] => ids.map((id) => ({ id, received_ts: id }));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A server with these reports, which may change between requests. */
function listOf(
  ids: readonly number[],
  change: (ids: readonly number[], asked: number) => readonly number[] = (same) => same,
) {
  let [now, asked] = [ids, 0];
  const ask: AskReports<Moment> = async ({ dir, from, limit }) => {
    now = change(now, ++asked);
    const sorted = now.toSorted((one, other) => (dir === 'b' ? other - one : one - other));
    return { event_reports: moments(sorted.slice(from, from + limit)), total: now.length };
  };
  return { ask, asked: () => asked };
}
const newestFirst = (ids: readonly number[]) => moments(ids.toReversed());
const without = (ids: readonly number[], gone: readonly number[]) => ids.filter((id) => !gone.includes(id));

const all = upTo(1_000);
test.each<[string, readonly number[]]>([
  ['none', []],
  ['the first', [1000]],
  ['the last', [1]],
  ['both ends', [1, 1000]],
  ['neighbors', [500, 501]],
  ['some', [3, 99, 100, 101, 640, 999]],
  ['a run of more than a page', all.slice(200, 450)],
  ['all', all],
])('%s of a thousand loaded reports are gone', async (_, gone) => {
  const { ask } = listOf(without(all, gone));
  expect((await goneReports(ask, 'b', newestFirst(all))).toSorted((a, b) => a - b)).toEqual(gone);
  const oldestFirst = await goneReports(ask, 'f', moments(all));
  expect(oldestFirst.toSorted((a, b) => a - b)).toEqual(gone);
});

test('new reports before the loaded ones are no loss', async () => {
  const { ask } = listOf(without(upTo(1_100), [700]));
  expect(await goneReports(ask, 'b', newestFirst(all))).toEqual([700]);
});

test('nothing is requested without loaded reports', async () => {
  const { ask, asked } = listOf(all);
  expect(await goneReports(ask, 'b', [])).toEqual([]);
  expect(asked()).toBe(0);
});

test('a list that changes while it is compared is compared again', async () => {
  const gone = [700];
  const { ask } = listOf(without(all, gone), (ids, asked) => (asked === 2 ? [...ids, 1_001] : ids));
  expect(await goneReports(ask, 'b', newestFirst(all))).toEqual(gone);
});

test('no report counts as gone from a list that never stops changing', async () => {
  let next = 1_000;
  const { ask } = listOf(without(all, [700]), (ids) => [...ids, ++next]);
  expect(await goneReports(ask, 'b', newestFirst(all))).toEqual([]);
});
