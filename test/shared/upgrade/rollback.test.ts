import { expect, test } from 'vitest';
import { judgeRollback, rollbackReach, rollbackTable } from '../../../shared/upgrade/rollback.ts';
import { compareVersions, formatVersion, parseVersion } from '../../../shared/upgrade/version.ts';

// The interface's table, typed independently.
const table = `
v1.0.0 – v1.2.1 | v1.0.0
v1.3.0 – v1.8.0 | v1.3.0
v1.9.0 – v1.12.4 | v1.9.0
v1.13.0 – v1.25.0 | v1.13.0
v1.26.0 – v1.44.0 | v1.26.0
v1.45.0 – v1.47.1 | v1.38.0
v1.48.0 – v1.51.0 | v1.39.0
v1.52.0 – v1.57.1 | v1.49.0
v1.58.0 – v1.61.1 | v1.57.0
v1.62.0 – v1.63.1 | v1.61.0
v1.64.0 – v1.69.0 | v1.62.0
v1.70.0 – v1.82.0 | v1.68.0
v1.83.0 – v1.84.1 | v1.77.0
v1.85.0 – v1.91.2 | v1.83.0
v1.92.0 – v1.97.0 | v1.90.0
v1.98.0 – v1.105.0 | v1.96.0
v1.105.1 – v1.149.1 | v1.100.0
`.trim();

test("the table equals the interface's", () => {
  const rows = rollbackTable.map(
    ({ first, last, earliest }) =>
      `v${formatVersion(first)} – v${formatVersion(last)} | v${formatVersion(earliest)}`,
  );
  expect(rows.join('\n')).toBe(table);
});

test('ranges are ordered without overlap, and reach back to an older version', () => {
  for (const [index, { first, last, earliest }] of rollbackTable.entries()) {
    expect(compareVersions(first, last)).toBeLessThan(0);
    expect(compareVersions(earliest, first)).toBeLessThanOrEqual(0);
    const next = rollbackTable[index + 1];
    if (next) expect(compareVersions(last, next.first)).toBeLessThan(0);
  }
});

const reach = (text: string) => {
  const found = rollbackReach(parseVersion(text));
  return found.earliest ? formatVersion(found.earliest) : found.why;
};

test.each([
  ['1.0.0', '1.0.0'],
  ['1.2.1', '1.0.0'],
  ['1.8.0', '1.3.0'],
  ['1.44.0', '1.26.0'],
  ['1.45.0', '1.38.0'],
  ['1.84.1', '1.77.0'],
  ['1.84.0rc1', '1.77.0'],
  ['1.105.0', '1.96.0'],
  ['1.105.1', '1.100.0'],
  ['1.149.1', '1.100.0'],
])('v%s can roll back to v%s', (version, earliest) => {
  expect(reach(version)).toBe(earliest);
});

test.each([
  ['0.99.5', 'starts at v1.0.0. Rollback from v0.99.5 is unknown'],
  ['1.0.0rc1', 'starts at v1.0.0'],
  ['1.2.2', 'between v1.0.0 – v1.2.1 (rollback to v1.0.0) and v1.3.0 – v1.8.0 (rollback to v1.3.0)'],
  ['1.25.1', 'between v1.13.0 – v1.25.0 (rollback to v1.13.0) and v1.26.0 – v1.44.0 (rollback to v1.26.0)'],
  ['1.26.0rc1', 'no entry for v1.26.0rc1'],
  ['1.84.2', 'between v1.83.0 – v1.84.1 (rollback to v1.77.0) and v1.85.0 – v1.91.2 (rollback to v1.83.0)'],
  ['1.105.1rc1', 'no entry for v1.105.1rc1'],
  ['1.149.2', 'ends at v1.149.1 (rollback to v1.100.0). Rollback from v1.149.2 is unknown'],
  ['1.161.0', 'ends at v1.149.1'],
])("v%s isn't guessed", (version, why) => {
  expect(reach(version)).toContain(why);
});

test.each([
  ['1.70.0', '1.68.0', true, '1.68.0', 'Safe: v1.70.0 can roll back to v1.68.0'],
  ['1.70.0', '1.67.0', false, '1.68.0', 'Not safe: v1.70.0 can roll back only to v1.68.0.'],
  ['1.70.0', '1.68.0rc1', false, '1.68.0', 'Not safe'],
  ['1.26.0', '1.25.0', false, '1.26.0', "v1.26.0 can't roll back"],
  ['1.84.2', '1.84.1', null, undefined, 'no entry for v1.84.2'],
  ['1.161.0', '1.160.0', null, undefined, 'Rely on the backup.'],
])('from v%s back to v%s: %s', (from, to, safe, lowest, reason) => {
  const verdict = judgeRollback(parseVersion(from), parseVersion(to));
  expect(verdict.safe).toBe(safe);
  expect(verdict.lowestSafe && formatVersion(verdict.lowestSafe)).toBe(lowest);
  expect(verdict.reason).toContain(reason);
});
