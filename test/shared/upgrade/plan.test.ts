import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { type PlanRequest, planUpgrade } from '../../../shared/upgrade/plan.ts';

const plan = (from: string, to?: string, more: Partial<PlanRequest> = {}) => {
  const planned = planUpgrade({ from, to, dialect: 'vendor', ...more });
  expect(Value.Check(UpgradePlan, planned)).toBe(true);
  return planned;
};

/**
 * Returns a summary of the stops: version, lowest rollback version, rollback to the previous version, number of
 * notes.
 */
const stopsOf = ({ stops }: UpgradePlan) =>
  stops.map(({ version, rollback_to, rollback, notes }) => [
    version,
    rollback_to,
    rollback.safe,
    notes.length,
  ]);
const requirementsOf = (planned: UpgradePlan) =>
  planned.stops.map(({ requirements }) => requirements.map(({ name, minimum }) => `${name} ${minimum}`));

test('from v1.47.1 to v1.70.0', () => {
  const planned = plan('1.47.1', '1.70.0');
  // v1.47.1 is the last release of v1.45.0 – v1.47.1. Later ranges start at v1.48.0 (back to v1.39.0), v1.52.0
  // (v1.49.0), v1.58.0 (v1.57.0), v1.62.0 (v1.61.0) and v1.64.0 (v1.62.0). The last one starts at the target, v1.70.0
  // (v1.68.0). If one can't roll back to the previous stop, the plan adds the release that it can roll back to.
  expect(stopsOf(planned)).toEqual([
    // v1.39.0 <= v1.47.1. Nothing between v1.47.1 and v1.48.0.
    ['1.48.0', '1.39.0', true, 0],
    // v1.52.0 can roll back to v1.49.0, and v1.49.0 > v1.48.0.
    ['1.49.0', '1.39.0', true, 0],
    // v1.50.0 has two notes.
    ['1.52.0', '1.49.0', true, 2],
    // v1.57.0 > v1.52.0. Notes: v1.53.0 five, v1.54.0 one, v1.55.0 one, v1.56.0 two, v1.57.0 one.
    ['1.57.0', '1.49.0', true, 10],
    ['1.58.0', '1.57.0', true, 1],
    // v1.61.0 > v1.58.0. Notes: v1.59.0 and v1.60.0 two each, v1.61.0 one.
    ['1.61.0', '1.57.0', true, 5],
    ['1.62.0', '1.61.0', true, 1],
    // v1.62.0 <= v1.62.0. No notes in v1.63 and v1.64.
    ['1.64.0', '1.62.0', true, 0],
    // v1.68.0 > v1.64.0. Notes: v1.66.0 one, v1.67.0 and v1.68.0 two each.
    ['1.68.0', '1.62.0', true, 5],
    ['1.70.0', '1.68.0', true, 0],
  ]);
  expect(planned.direct.notes).toHaveLength(24);
  expect(planned.direct).toMatchObject({
    rollback_to: '1.68.0',
    rollback: { to: '1.47.1', safe: false, lowest_safe: '1.68.0' },
  });
  expect(requirementsOf(planned)).toEqual([
    [],
    [],
    ['Python 3.7', 'PostgreSQL 10'],
    [],
    [],
    [],
    [],
    [],
    ['SQLite 3.27.0', 'Redis null', 'Rust null', 'Poetry 1.2'],
    [],
  ]);
  // The plan crosses v1.64 between v1.62.0 and v1.64.0, and v1.69 between v1.68.0 and v1.70.0, but not v1.76.
  expect(planned.streams.map(({ release, stop, streams }) => [release, stop, streams])).toEqual([
    ['1.64.0', '1.64.0', ['events']],
    ['1.69.0', '1.70.0', ['receipts']],
  ]);
  expect(planned.warnings).toEqual([]);
  expect(planned.stops.map(({ reason }) => reason)).toEqual([
    'First version of v1.48.0 – v1.51.0 (rollback to v1.39.0)',
    'Needed for rollback from v1.52.0 – v1.57.1',
    'First version of v1.52.0 – v1.57.1 (rollback to v1.49.0)',
    'Needed for rollback from v1.58.0 – v1.61.1',
    'First version of v1.58.0 – v1.61.1 (rollback to v1.57.0)',
    'Needed for rollback from v1.62.0 – v1.63.1',
    'First version of v1.62.0 – v1.63.1 (rollback to v1.61.0)',
    'First version of v1.64.0 – v1.69.0 (rollback to v1.62.0)',
    'Needed for rollback from v1.70.0 – v1.82.0',
    'Target and first version of v1.70.0 – v1.82.0 (rollback to v1.68.0)',
  ]);
});

test('from v1.98.0 to v1.161.0', () => {
  const planned = plan('1.98.0', '1.161.0');
  // v1.98.0 is the first release of v1.98.0 – v1.105.0. One later range starts at v1.105.1 (back to v1.100.0); the
  // table ends before the target.
  expect(stopsOf(planned)).toEqual([
    // v1.100.0 > v1.98.0, so it becomes a stop. It has one note, about Rust.
    ['1.100.0', '1.96.0', true, 1],
    ['1.105.1', '1.100.0', true, 0],
    // Notes: Rust in v1.106.0, then one each in v1.111.0 and v1.119.0, two in v1.120.0, one each in v1.122.0,
    // v1.126.0, v1.130.0, v1.134.0 and v1.135.0, three in v1.136.0, one each in v1.139.0, v1.140.0 and v1.141.0, two
    // in v1.142.0, one in v1.143.0, two in v1.144.0, one in v1.146.0.
    ['1.149.1', '1.100.0', true, 22],
    // Notes: three in v1.150.0, one each in v1.152.0 and v1.157.0, two in v1.158.0, one in v1.159.0, two in v1.161.0.
    ['1.161.0', null, null, 10],
  ]);
  expect(planned.direct.notes).toHaveLength(33);
  expect(planned.stops[1]?.rollback).toEqual({
    to: '1.100.0',
    safe: true,
    lowest_safe: '1.100.0',
    text: 'Safe: v1.105.1 can roll back to v1.100.0.',
  });
  expect(planned.direct.rollback).toMatchObject({ to: '1.98.0', safe: null });
  expect(requirementsOf(planned)).toEqual([
    ['Rust 1.65.0'],
    [],
    [
      'Python 3.10',
      'PostgreSQL 14',
      'SQLite 3.40.0',
      'Rust 1.66.0',
      'S3 storage provider module 1.6.0',
      'External authentication service 0.20.0',
    ],
    [],
  ]);
  expect(planned.streams).toEqual([]);
  expect(planned.warnings).toEqual([
    'The rollback table ends at v1.149.1 (rollback to v1.100.0). Rollback from v1.161.0 is unknown.',
  ]);
});

test('from v1.0.0 to v1.161.0', () => {
  const planned = plan('1.0.0', '1.161.0');
  // The first range starts at v1.0.0; all others start later.
  expect(stopsOf(planned).map(([version, back, safe]) => [version, back, safe])).toEqual([
    ['1.3.0', '1.3.0', false], // v1.3.0 > v1.0.0: there is nothing to go back to
    ['1.9.0', '1.9.0', false],
    ['1.13.0', '1.13.0', false],
    ['1.26.0', '1.26.0', false],
    ['1.38.0', '1.26.0', true], // as far as v1.45.0 can go back, and v1.38.0 > v1.26.0
    ['1.45.0', '1.38.0', true],
    ['1.48.0', '1.39.0', true], // v1.39.0 <= v1.45.0
    ['1.49.0', '1.39.0', true], // v1.49.0 > v1.48.0
    ['1.52.0', '1.49.0', true],
    ['1.57.0', '1.49.0', true], // v1.57.0 > v1.52.0
    ['1.58.0', '1.57.0', true],
    ['1.61.0', '1.57.0', true], // v1.61.0 > v1.58.0
    ['1.62.0', '1.61.0', true],
    ['1.64.0', '1.62.0', true], // v1.62.0 <= v1.62.0
    ['1.68.0', '1.62.0', true], // v1.68.0 > v1.64.0
    ['1.70.0', '1.68.0', true],
    ['1.77.0', '1.68.0', true], // v1.77.0 > v1.70.0
    ['1.83.0', '1.77.0', true],
    ['1.85.0', '1.83.0', true], // v1.83.0 <= v1.83.0
    ['1.90.0', '1.83.0', true], // v1.90.0 > v1.85.0
    ['1.92.0', '1.90.0', true],
    ['1.96.0', '1.90.0', true], // v1.96.0 > v1.92.0
    ['1.98.0', '1.96.0', true],
    ['1.100.0', '1.96.0', true], // v1.100.0 > v1.98.0
    ['1.105.1', '1.100.0', true],
    ['1.149.1', '1.100.0', true], // the last one that the table knows
    ['1.161.0', null, null],
  ]);
  expect(planned.streams.map(({ release, stop }) => [release, stop])).toEqual([
    ['1.64.0', '1.64.0'],
    ['1.69.0', '1.70.0'],
    ['1.76.0', '1.77.0'],
  ]);
  expect(planned.stops[0]?.rollback.text).toBe(
    "Not safe: v1.3.0 can't roll back. Restore the backup for v1.0.0.",
  );
  expect(planned.warnings).toEqual([
    expect.stringContaining('Rollback from v1.161.0 is unknown'),
    "Notes start at v1.32.0. Read earlier versions' upgrade notes separately.",
  ]);
});

test('from v1.40.0 with the fewest versions, each of which can roll back to the previous one', () => {
  const planned = plan('1.40.0', '1.161.0', { way: 'fewest' });
  expect(stopsOf(planned).map(([version, back, safe]) => [version, back, safe])).toEqual([
    ['1.51.0', '1.39.0', true],
    ['1.57.1', '1.49.0', true],
    ['1.61.1', '1.57.0', true],
    ['1.63.1', '1.61.0', true],
    ['1.69.0', '1.62.0', true],
    ['1.82.0', '1.68.0', true],
    ['1.84.1', '1.77.0', true],
    ['1.91.2', '1.83.0', true],
    ['1.97.0', '1.90.0', true],
    ['1.105.0', '1.96.0', true],
    ['1.149.1', '1.100.0', true],
    ['1.161.0', null, null],
  ]);
  expect(planned.stops[0]?.reason).toBe('Last version of v1.48.0 – v1.51.0 (rollback to v1.39.0)');
  expect(planned.stops[10]?.reason).toBe('Last version with a known rollback (to v1.100.0)');
  expect(planned.stops.flatMap(({ notes }) => notes)).toEqual(planned.direct.notes);
});

test('a direct plan only has the target', () => {
  const planned = plan('1.40.0', '1.161.0', { way: 'direct' });
  expect(planned.stops).toMatchObject([
    { version: '1.161.0', reason: 'Direct to target', rollback: planned.direct.rollback },
  ]);
});

test('from v1.105.0 to v1.105.1', () => {
  const planned = plan('1.105.0', '1.105.1');
  // v1.105.0 is the last release of its range, v1.105.1 the first of the next: a stop without notes.
  expect(stopsOf(planned)).toEqual([['1.105.1', '1.100.0', true, 0]]);
  expect(planned.direct).toMatchObject({ notes: [], requirements: [], rollback_to: '1.100.0' });
  expect(planned.warnings).toEqual([]);
  expect(planned.stops[0]?.steps[2]?.text).toBe('Install v1.105.1.');
});

test('within a range the target is the only version', () => {
  expect(stopsOf(plan('1.86.0', '1.91.0'))).toEqual([['1.91.0', '1.83.0', true, 4]]);
});

test('equal versions have no steps', () => {
  expect(plan('1.98.0', 'v1.98.0 (b=main)')).toEqual({
    from: '1.98.0',
    to: '1.98.0',
    direction: 'none',
    direct: { notes: [], requirements: [], steps: [], rollback_to: '1.96.0', rollback: null },
    stops: [],
    streams: [],
    warnings: [],
    config: [],
    config_hints: [],
    config_unknown: [],
  });
});

test('a downgrade that the table allows', () => {
  // v1.84.1 is in v1.83.0 – v1.84.1, which can roll back to v1.77.0.
  const planned = plan('1.84.1', '1.79.0');
  expect(planned).toMatchObject({
    direction: 'downgrade',
    direct: { notes: [], rollback_to: '1.77.0', rollback: { to: '1.79.0', safe: true } },
    stops: [{ version: '1.79.0', reason: 'Downgrade target', notes: [] }],
    warnings: ['The older version may require reverting changes for v1.80.0, v1.81.0, v1.84.0.'],
  });
  expect(planned.stops[0]?.steps.map(({ kind }) => kind)).toEqual([
    'back up',
    'stop',
    'upgrade',
    'start',
    'check version',
  ]);
  // The changes of the running version itself count, those of the target don't.
  expect(plan('1.84.0', '1.80.0').warnings).toEqual([
    'The older version may require reverting changes for v1.81.0, v1.84.0.',
  ]);
});

test('a downgrade that crosses a stream boundary has a warning', () => {
  // v1.76.0 is in v1.70.0 – v1.82.0, which can roll back to v1.68.0. The plan crosses v1.69 and v1.76.
  const planned = plan('1.76.0', '1.68.0');
  expect(planned.streams.map(({ release }) => release)).toEqual(['1.69.0', '1.76.0']);
  expect(planned.stops[0]?.steps[3]?.text).toContain('Start workers only once all run v1.68.0');
});

test('a downgrade that the table refuses', () => {
  // v1.70.0 can roll back to v1.68.0 at the lowest.
  expect(plan('1.70.0', '1.47.1')).toMatchObject({
    direct: { rollback: { safe: false, lowest_safe: '1.68.0' } },
    stops: [],
    warnings: ['Not safe: v1.70.0 can roll back only to v1.68.0. Restore the backup for v1.47.1.'],
  });
});

test.each([
  ['1.161.0', '1.160.0', 'The rollback table ends at v1.149.1'],
  ['1.84.2', '1.84.0', 'The rollback table has no entry for v1.84.2'],
])("a downgrade from v%s to v%s that isn't in the table", (from, to, why) => {
  expect(plan(from, to)).toMatchObject({
    direct: { rollback: { safe: null, lowest_safe: null } },
    stops: [],
    warnings: [expect.stringContaining(why)],
  });
});

test('without a target the newest release is used', () => {
  expect(plan('1.160.0').to).toBe('1.161.0');
});

test('versions beyond the data are planned up to the end of the data', () => {
  const planned = plan('1.157.0', '1.170.0');
  expect(planned.stops.map(({ version }) => version)).toEqual(['1.170.0']);
  expect(planned.direct.notes.map(({ release }) => release)).toEqual([
    '1.158.0',
    '1.158.0',
    '1.159.0',
    '1.161.0',
    '1.161.0',
  ]);
  expect(planned.warnings.at(-1)).toBe(
    'This planner covers versions up to v1.161.0, not v1.170.0. Read all later upgrade notes.',
  );
});

test('a target in a gap of the table has an unknown rollback', () => {
  const planned = plan('1.83.0', '1.84.2');
  expect(stopsOf(planned)).toEqual([['1.84.2', null, null, 1]]);
  expect(planned.warnings).toEqual([
    'The rollback table has no entry for v1.84.2, between v1.83.0 – v1.84.1 (rollback to v1.77.0) and v1.85.0 – v1.91.2 (rollback to v1.83.0). Its rollback is unknown.',
  ]);
});

test("a release candidate has its release's notes", () => {
  const planned = plan('1.87.0', '1.88.0rc1');
  expect(planned.direct.notes.map(({ id }) => id)).toEqual([
    '1.88.0/python',
    '1.88.0/worker-replication-settings',
  ]);
  expect(planned.warnings).toEqual(['v1.88.0rc1 is a release candidate. Includes the v1.88.0 notes.']);
  // From the candidate to the release the notes appear again, because the release may have changed them.
  expect(plan('1.88.0rc1', '1.88.0').direct.notes).toHaveLength(2);
});

test('pending background updates come first', () => {
  const warnings = (pendingUpdates: string[] | null) => plan('1.86.0', '1.87.0', { pendingUpdates }).warnings;
  expect(warnings([])).toEqual([]);
  expect(warnings(['populate_stats'])).toEqual([
    '1 background update running (populate_stats). Wait until all finish.',
  ]);
  expect(warnings(['a', '\u001b[2J<b>'])).toEqual([
    '2 background updates running (a, ??2J?b?). Wait until all finish.',
  ]);
  expect(warnings(null)).toEqual([expect.stringContaining("isn't available")]);
});

test("steps are in order, with the server's own paths and no token", () => {
  const commands = (more: Partial<PlanRequest>) =>
    plan('1.86.0', '1.87.0', more).stops[0]?.steps.map(({ kind, command }) => [kind, command]);
  expect(commands({})).toEqual([
    ['back up', null],
    ['stop', null],
    ['upgrade', null],
    ['start', 'curl -fsS --retry 999 --retry-delay 5 --retry-all-errors "$BASE_URL/_chat/client/versions"'],
    [
      'check version',
      'curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" "$BASE_URL/_service/admin/v1/server_version"',
    ],
    [
      'wait',
      'curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" "$BASE_URL/_service/admin/v1/background_updates/status"',
    ],
  ]);
  expect(commands({ dialect: 'matrix', baseUrl: "https://example.org/it's/$(x)" })?.slice(3)).toEqual([
    [
      'start',
      "curl -fsS --retry 999 --retry-delay 5 --retry-all-errors 'https://example.org/it'\\''s/$(x)/_matrix/client/versions'",
    ],
    [
      'check version',
      `curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/it'\\''s/$(x)/_synapse/admin/v1/server_version'`,
    ],
    [
      'wait',
      `curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" 'https://example.org/it'\\''s/$(x)/_synapse/admin/v1/background_updates/status'`,
    ],
  ]);
});

test('v1.57 keeps the application service worker stopped at the version that crosses it', () => {
  const { stops } = plan('1.52.0', '1.62.0');
  const crossing = stops.map(({ version, steps }) => [
    version,
    steps.some(({ text }) => text.includes('worker that sends to application services')),
  ]);
  expect(crossing).toEqual([
    ['1.57.0', true],
    ['1.58.0', false],
    ['1.61.0', false],
    ['1.62.0', false],
  ]);
});

test.each([
  ['1.86.0', '1.87.0', ''],
  ['1.47.1', '1.70.0', ' This backup is the only rollback to v1.47.1.'],
  ['1.98.0', '1.161.0', ' Treat this backup as the only rollback to v1.98.0.'],
])('from v%s to v%s, the backup step has the note %j', (from, to, note) => {
  const [first] = plan(from, to, { way: 'direct' }).stops[0]?.steps ?? [];
  expect(first?.text).toBe(`Back up the database, media, signing key and configuration.${note}`);
});
