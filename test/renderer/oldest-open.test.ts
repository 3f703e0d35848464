/** The oldest open reports of all kinds. */
import { expect, test } from 'vitest';
import { type OldReport, reportsPerPage } from '../../renderer/api/reports/report-source.ts';
import { oldestOpen } from '../../renderer/team/oldest-open.ts';

/** Reports of a kind at these times, oldest first. */
const reports = (of: OldReport['of'], ...times: number[]): OldReport[] =>
  times.map((at, index) => ({ of, id: index + 1, at, reason: null }));
const page = (of: OldReport['of'], first: number) =>
  reports(of, ...Array.from({ length: reportsPerPage }, (_, index) => first + index));
const times = (known: readonly OldReport[][], isOpen: (report: OldReport) => boolean = () => true) =>
  oldestOpen(known, isOpen).map(({ at }) => at);

test('the oldest of several kinds comes first', () => {
  const known = [reports('report', 2, 5), reports('user_report', 1, 9), reports('room_report', 4)];
  expect(times(known)).toEqual([1, 2, 4, 5, 9]);
  expect(times(known, ({ at }) => at !== 1 && at !== 2)).toEqual([4, 5, 9]);
  expect(times([])).toEqual([]);
});

test('none is known if none of a kind is among its oldest ones', () => {
  const known = [reports('report', 2, 5), reports('user_report', 1)];
  expect(times(known, ({ of }) => of === 'report')).toEqual([]);
  expect(times([...known, []])).toEqual([]);
});

test('reports after a full page of another kind are left out: there may be older ones', () => {
  const end = 10 + reportsPerPage - 1;
  const others = reports('user_report', 1, end, end + 1);
  expect(times([page('report', 10), others])).toEqual(
    [1, ...page('report', 10).map(({ at }) => at), end].sort((a, b) => a - b),
  );
  expect(times([page('report', 10), others], ({ of, at }) => of === 'user_report' || at === 10)).toEqual([
    1,
    10,
    end,
  ]);
  // All of a kind are known if the page isn't full.
  expect(times([page('report', 10).slice(1), others])).toContain(end + 1);
});
