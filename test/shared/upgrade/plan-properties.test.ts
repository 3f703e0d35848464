/** Properties of plans between any two versions. */
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { english, type SentenceValues } from '../../../shared/sentence.ts';
import { changes, newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import { installMethods, type Way, ways } from '../../../shared/upgrade/choices.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import { requirementRises } from '../../../shared/upgrade/requirements.ts';
import { rollbackReach, rollbackTable } from '../../../shared/upgrade/rollback.ts';
import { streamBoundaries } from '../../../shared/upgrade/streams.ts';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  releaseOf,
  type Version,
} from '../../../shared/upgrade/version.ts';

const version = fc.record({
  major: fc.constant(1),
  minor: fc.nat({ max: 170 }),
  patch: fc.nat({ max: 3 }),
  candidate: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 5 }),
});
const twoVersions = fc
  .uniqueArray(version, { minLength: 2, maxLength: 2, selector: formatVersion })
  .map((pair) => pair.sort(compareVersions).map(formatVersion) as [string, string]);

const way = fc.constantFrom(...ways);

const plan = (from: string, to: string, chosen?: Way) =>
  planUpgrade({ from, to, dialect: 'vendor', way: chosen });

test('versions are increasing and end at the target', () => {
  fc.assert(
    fc.property(twoVersions, way, ([from, to], chosen) => {
      const stops = plan(from, to, chosen).stops.map((stop) => stop.version);
      expect(stops.at(-1)).toBe(to);
      for (const [index, stop] of stops.entries()) {
        const before = stops[index - 1] ?? from;
        expect(compareVersions(parseVersion(before), parseVersion(stop))).toBeLessThan(0);
      }
    }),
  );
});

test('the rollback of each version agrees with the table', () => {
  fc.assert(
    fc.property(twoVersions, way, ([from, to], chosen) => {
      let previous = from;
      for (const { version: stop, rollback_to, rollback } of plan(from, to, chosen).stops) {
        const { earliest } = rollbackReach(parseVersion(stop));
        expect(rollback_to).toBe(earliest ? formatVersion(earliest) : null);
        expect(rollback.to).toBe(previous);
        expect(rollback.lowest_safe).toBe(rollback_to);
        expect(rollback.safe).toBe(earliest ? compareVersions(parseVersion(previous), earliest) >= 0 : null);
        previous = stop;
      }
    }),
  );
});

test('no version loses a rollback that another would keep', () => {
  fc.assert(
    fc.property(twoVersions, ([from, to]) => {
      let previous = from;
      for (const { version: stop, rollback, rollback_to } of plan(from, to).stops) {
        // If a version can't roll back below itself, an earlier stop doesn't help.
        if (rollback.safe === false) expect(rollback_to, `${previous} to ${stop}`).toBe(stop);
        previous = stop;
      }
    }),
  );
});

/** All releases that the rollback table makes possible stops. */
const candidates = rollbackTable.flatMap(({ first, last, earliest }) => [first, last, earliest]);

/**
 * Returns the length of the shortest path on which each stop can roll back to the previous one. Returns undefined if
 * there's none.
 */
function shortestReversible(from: Version, to: Version): number | undefined {
  const points = [from, ...candidates, to].filter(
    (point) => compareVersions(from, point) <= 0 && compareVersions(point, to) <= 0,
  );
  points.sort(compareVersions);
  const steps = new Map<Version, number>([[from, 0]]);
  for (const point of points) {
    const { earliest } = rollbackReach(point);
    const before = points.filter(
      (other) =>
        earliest &&
        compareVersions(earliest, other) <= 0 &&
        compareVersions(other, point) < 0 &&
        steps.has(other),
    );
    const fewest = Math.min(...before.map((other) => steps.get(other) ?? 0));
    if (before.length > 0 && !steps.has(point)) steps.set(point, fewest + 1);
  }
  return steps.get(to);
}

test('the fewest versions are reversible where possible, and no shorter plan is', () => {
  fc.assert(
    fc.property(twoVersions, ([from, to]) => {
      const { stops } = plan(from, to, 'fewest');
      // On the way to a version missing in the table, the last known one is an additional stop.
      if (rollbackReach(parseVersion(to)).earliest) {
        expect(stops.length).toBeLessThanOrEqual(plan(from, to).stops.length);
      }
      const shortest = shortestReversible(parseVersion(from), parseVersion(to));
      if (shortest === undefined) return;
      expect(stops.every(({ rollback }) => rollback.safe)).toBe(true);
      expect(stops).toHaveLength(shortest);
    }),
    // The ends of the first range, to which no later version can roll back.
    { examples: [[['1.0.0', '1.3.0']]] },
  );
});

test('past the end of the table, its last release is included unless the plan is direct', () => {
  const last = rollbackTable.at(-1)?.last as Version;
  fc.assert(
    fc.property(twoVersions, way, ([from, to], chosen) => {
      const isPassed =
        compareVersions(parseVersion(from), last) < 0 && compareVersions(last, parseVersion(to)) < 0;
      const stops = plan(from, to, chosen).stops.map((stop) => stop.version);
      expect(stops.includes(formatVersion(last)) || to === formatVersion(last)).toBe(
        (isPassed && chosen !== 'direct') || to === formatVersion(last),
      );
    }),
  );
});

test("data from Synapse's source changes no version, and installed ones keep their rollback", () => {
  fc.assert(
    fc.property(twoVersions, way, ([from, to], chosen) => {
      const synapse = planUpgrade({ from, to, dialect: 'matrix', way: chosen });
      const { stops } = plan(from, to, chosen);
      expect(synapse.stops.map((stop) => stop.version)).toEqual(stops.map((stop) => stop.version));
      for (const { version: stop, install, rollback_to } of synapse.stops) {
        if (install === undefined) continue;
        expect(stop).not.toBe(to);
        const { earliest } = rollbackReach(parseVersion(install));
        expect(earliest && formatVersion(earliest)).toBe(rollback_to);
      }
      expect(stops.flatMap(({ known }) => known)).toEqual([]);
    }),
  );
});

test("a direct plan's notes, requirements and streams are those of its versions", () => {
  fc.assert(
    fc.property(twoVersions, way, ([from, to], chosen) => {
      const { direct, stops, streams } = plan(from, to, chosen);
      expect(stops.flatMap(({ notes }) => notes)).toEqual(direct.notes);
      const highest = new Map(
        stops.flatMap(({ requirements }) => requirements.map((each) => [each.name, each] as const)),
      );
      expect(new Map(direct.requirements.map((each) => [each.name, each]))).toEqual(highest);
      const expected = streamBoundaries.filter(
        ({ release }) =>
          compareVersions(parseVersion(from), release) < 0 &&
          compareVersions(release, releaseOf(parseVersion(to))) <= 0,
      );
      expect(streams.map(({ release }) => release)).toEqual(
        expected.map(({ release }) => formatVersion(release)),
      );
    }),
  );
});

test('notes are those after the running version up to the target', () => {
  fc.assert(
    fc.property(twoVersions, ([from, to]) => {
      const ids = new Set(plan(from, to).direct.notes.map(({ id }) => id));
      for (const { note, release } of changes) {
        const isOnTheWay =
          compareVersions(parseVersion(from), release) < 0 &&
          compareVersions(release, releaseOf(parseVersion(to))) <= 0;
        expect(ids.has(note.id), note.id).toBe(isOnTheWay);
      }
    }),
  );
});

test('every plan has the documented shape, and a rollback is planned only if safe', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      const planned = plan(formatVersion(one), formatVersion(other));
      expect(Value.Check(UpgradePlan, planned)).toBe(true);
      if (planned.direction === 'downgrade') {
        expect(planned.stops.length).toBe(planned.direct.rollback?.safe ? 1 : 0);
      }
      const isBeyond = [one, other].some((each) => compareVersions(each, newestRelease) > 0);
      expect(planned.warnings.some((text) => text.includes('This planner covers'))).toBe(isBeyond);
    }),
  );
});

test('every sentence of a plan is translated', () => {
  // Configuration with many findings, so that their messages are included.
  const configuration = [
    readConfiguration(
      'f',
      'server_name: a\nenable_legacy_metrics: true\ntemplate_dir: x\nredis: {enabled: false}\n',
    ),
    readConfiguration('w', 'worker_app: synapse.app.user_dir\nworker_replication_port: 1\n'),
  ];
  const isSaid = /^⟦.*⟧$/s;
  const say = (sentence: string, values?: SentenceValues) => `⟦${english(sentence, values)}⟧`;
  fc.assert(
    fc.property(version, version, fc.constantFrom(undefined, ...installMethods), (one, other, install) => {
      const [from, to] = [formatVersion(one), formatVersion(other)];
      const pendingUpdates = ['an_index'];
      const request = { from, to, dialect: 'matrix', install, configuration, pendingUpdates } as const;
      const planned = planUpgrade(request, say);
      const said = [
        ...planned.warnings,
        ...planned.streams.map(({ text }) => text),
        ...[...planned.config, ...planned.config_hints].flatMap(({ text, instead }) => [text, instead]),
        ...[planned.direct, ...planned.stops].flatMap(({ notes, requirements, steps, rollback }) => [
          ...notes.flatMap(({ text, action }) => [text, action]),
          ...[...requirements, ...steps].map(({ text }) => text),
          ...(rollback ? [rollback.text] : []),
        ]),
        ...planned.stops.flatMap(({ reason, known }) => [reason, ...known.map(({ text }) => text)]),
      ];
      for (const text of said) expect(text).toMatch(isSaid);
      // The English text equals the command line's output.
      const printed = planUpgrade(request);
      expect(JSON.parse(JSON.stringify(planned).replace(/[⟦⟧]/g, ''))).toEqual(printed);
    }),
  );
});

test('every row of both tables is reached by some plan', () => {
  const { stops, direct } = plan('0.99.0', '1.161.0');
  for (const { first } of rollbackTable) {
    expect(stops.map((stop) => stop.version)).toContain(formatVersion(first));
  }
  expect(direct.notes.map(({ id }) => id)).toEqual(changes.map(({ note }) => note.id));
  for (const { since, name, minimum } of requirementRises) {
    const before = formatVersion({ ...since, candidate: 0 });
    expect(plan(before, formatVersion(since)).direct.requirements).toContainEqual(
      expect.objectContaining({ name, minimum: minimum ?? null, since: formatVersion(since) }),
    );
  }
});
