import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  releaseOf,
  type Version,
  VersionError,
} from '../../../shared/upgrade/version.ts';

test.each([
  ['1.98.0', '1.98.0'],
  ['v1.98.0', '1.98.0'],
  ['1.98', '1.98.0'],
  ['1.98.0rc1', '1.98.0rc1'],
  ['v1.98.0rc12', '1.98.0rc12'],
  ['1.105.1 (b=release-v1.105, abcdef)', '1.105.1'],
  ['1.105.1 (b=matrix-org-hotfixes,0123abc,dirty)', '1.105.1'],
  ['1.98.0+deb12u1', '1.98.0'],
  ['1.125.0~ynh1', '1.125.0'],
  ['1.103.0-2~bpo12+1', '1.103.0'],
  ['1.98.0~rc1', '1.98.0rc1'],
  ['1.98.0~rc1-1', '1.98.0rc1'],
  [' 1.98.0\n', '1.98.0'],
])('reads %j', (text, version) => {
  expect(formatVersion(parseVersion(text))).toBe(version);
});

test.each([
  '',
  '1',
  '1.98.0.1',
  '1.98.x',
  '01.98.0',
  '1.98.0rc',
  '1.98.0-beta',
  '-1.98.0',
  '1.98.0 and more',
  '1.9999999.0',
  'latest',
  '1.98.0(b)',
  '１.98.0',
])('refuses %j', (text) => {
  expect(() => parseVersion(text)).toThrow(VersionError);
});

test('an error quotes the input and is safe to print', () => {
  expect(() => parseVersion('latest')).toThrow(
    "“latest” isn't a version; use a format like 1.98.0 or 1.98.0rc1",
  );
  expect(() => parseVersion('\u001b[2J\u009b1m')).toThrow("“?[2J?1m” isn't a version");
  expect(() => parseVersion('x'.repeat(10_000))).toThrow(`“${'x'.repeat(40)}…” isn't a version`);
});

test('orders versions by number, and candidates before their release', () => {
  const ordered = [
    '0.99.5',
    '1.0.0',
    '1.9.0',
    '1.10.0rc1',
    '1.10.0rc2',
    '1.10.0rc10',
    '1.10.0',
    '1.10.1rc1',
    '1.10.1',
    '1.100.0',
    '2.0.0',
  ];
  const shuffled = ordered.toReversed().map(parseVersion);
  expect(shuffled.sort(compareVersions).map(formatVersion)).toEqual(ordered);
});

test('returns the release of a candidate', () => {
  expect(formatVersion(releaseOf(parseVersion('1.98.0rc1')))).toBe('1.98.0');
});

const number = fc.nat({ max: 999_999 });
const version: fc.Arbitrary<Version> = fc.record({
  major: number,
  minor: number,
  patch: number,
  candidate: fc.option(number, { nil: undefined }),
});

test('a formatted version is parsed to the same', () => {
  fc.assert(
    fc.property(version, (some) => {
      expect(parseVersion(formatVersion(some))).toEqual(some);
    }),
  );
});

test('the order is total', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
      expect(compareVersions(a, b) === 0).toBe(formatVersion(a) === formatVersion(b));
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
      }
    }),
  );
});

test('any string is a version or gives a version error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        parseVersion(text);
      } catch (error) {
        expect(error).toBeInstanceOf(VersionError);
      }
    }),
  );
});
