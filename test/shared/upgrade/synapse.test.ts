/** Synapse's source data: its order, and the plans based on it. */
import { expect, test } from 'vitest';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { faultRows } from '../../../shared/upgrade/synapse/faults.ts';
import { securityRows } from '../../../shared/upgrade/synapse/security.ts';
import { newestRead, schemaRows } from '../../../shared/upgrade/synapse/source.ts';
import { compareVersions } from '../../../shared/upgrade/version.ts';

const stops = (from: string, to: string, more = {}) =>
  planUpgrade({ from, to, dialect: 'matrix', ...more }).stops;
const known = (from: string, to: string) =>
  stops(from, to, { way: 'direct' })[0]?.known.map(({ kind, release }) => `${kind} ${release}`);

test('rows are in order, for existing releases', () => {
  for (const releases of [securityRows.map(({ release }) => release), schemaRows.map(({ since }) => since)]) {
    expect(releases.toSorted(compareVersions)).toEqual(releases);
    for (const release of releases) expect(compareVersions(release, newestRead)).toBeLessThanOrEqual(0);
  }
  for (const { first, fixed } of faultRows) {
    expect(compareVersions(first, fixed)).toBeLessThan(0);
    expect(compareVersions(fixed, newestRead)).toBeLessThanOrEqual(0);
  }
});

test('past the rollback table, the schema version limits the rollback', () => {
  expect(stops('1.149.1', '1.160.0')[0]).toMatchObject({
    rollback_to: null,
    rollback_from_source: '1.100.0',
  });
  const [newer] = stops('1.149.1', '1.161.0', { install: 'docker' });
  expect(newer?.rollback_from_source).toBeUndefined();
  expect(newer?.known[0]?.check).toMatch(/^docker run .*:v1\.161\.0 -c "from synapse/);
});

test('a version that was never published, or has a newer patch with the same rollback, installs that', () => {
  const installs = stops('1.84.1', '1.98.0').map(({ version, install }) => [version, install]);
  expect(installs).toEqual([
    ['1.85.0', '1.85.2'],
    ['1.90.0', undefined],
    ['1.92.0', '1.92.3'],
    ['1.96.0', '1.96.1'],
    ['1.98.0', undefined],
  ]);
  // v1.105.1 is in another range.
  expect(stops('1.98.0', '1.149.1', { way: 'fewest' })[0]).not.toHaveProperty('install');
});

test('security releases in between, and none that the running version has', () => {
  expect(known('1.138.3', '1.147.1')).toEqual(['fault 1.152.0', 'security 1.147.1']);
  expect(known('1.138.2', '1.139.2')).toEqual(['fault 1.141.0', 'security 1.139.1']);
});
