import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CanonicalJsonError, canonicalJson } from '../../shared/canonical-json.ts';
// After other tests of this process, JSON.parse can mistake keys.
import { readJson } from '../../shared/read-json.ts';

/** Examples from the Matrix specification, appendices, "Canonical JSON". */
test.each([
  ['{}', '{}'],
  ['{ "one": 1, "two": "Two" }', '{"one":1,"two":"Two"}'],
  ['{ "b": "2", "a": "1" }', '{"a":"1","b":"2"}'],
  [
    '{ "auth": { "success": true, "mxid": "@john.doe:example.com", "profile": { "display_name": "John Doe", "three_pids": [ { "medium": "email", "address": "john.doe@example.org" }, { "medium": "msisdn", "address": "123456789" } ] } } }',
    '{"auth":{"mxid":"@john.doe:example.com","profile":{"display_name":"John Doe","three_pids":[{"address":"john.doe@example.org","medium":"email"},{"address":"123456789","medium":"msisdn"}]},"success":true}}',
  ],
  ['{ "a": "日本語" }', '{"a":"日本語"}'],
  ['{ "本": 2, "日": 1 }', '{"日":1,"本":2}'],
  ['{ "a": "\\u65E5" }', '{"a":"日"}'],
  ['{ "a": null }', '{"a":null}'],
  ['"\\u0007\\u000f\\n\\u007f\\u2028\\/"', '"\\u0007\\u000f\\n\u007f\u2028/"'],
  ['{"\\ud83d\\ude00": 1, "\\uffff": 2, "\\ue000": 3}', '{"\ue000":3,"\uffff":2,"😀":1}'],
  ['{"aa": 1, "a": 2, "": 3}', '{"":3,"a":2,"aa":1}'],
  ['{"__proto__": 1, "constructor": 2}', '{"__proto__":1,"constructor":2}'],
  ['[9007199254740991, -9007199254740991, 1e2]', '[9007199254740991,-9007199254740991,100]'],
])('writes %s', (json, canonical) => {
  expect(canonicalJson(readJson(json))).toBe(canonical);
});

describe('refuses', () => {
  test.each<[string, unknown]>([
    ['a float', 1.5],
    ['an integer that floats cannot hold', 2 ** 53],
    ['a negative one', -(2 ** 53)],
    ['minus zero', -0],
    ['invalid numbers', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['undefined', { a: undefined }],
    ['a hole in an array', new Array(1)],
    ['a function', () => 1],
    ['a big integer', 1n],
    ['half of a surrogate pair', 'a\ud800'],
    ['half of a surrogate pair in a key', { '\udc00': 1 }],
    ['a float deep inside', { a: [{ b: [0.1] }] }],
  ])('%s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
  });
});

const nested = (levels: number, open: string, core: string, close: string) =>
  JSON.parse(open.repeat(levels) + core + close.repeat(levels));

test('512 levels are written, and more are refused', () => {
  expect(canonicalJson(nested(512, '[', '1', ']'))).toBe(`${'['.repeat(512)}1${']'.repeat(512)}`);
  expect(canonicalJson(nested(512, '{"a":', '1', '}'))).toHaveLength(512 * 6 + 1);
  expect(() => canonicalJson(nested(513, '[', '1', ']'))).toThrow(CanonicalJsonError);
  expect(() => canonicalJson(nested(10_000, '{"a":', '1', '}'))).toThrow(CanonicalJsonError);
});

const text = fc.string({ unit: 'grapheme' });
const { json: anyJson } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.maxSafeInteger().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json')),
    fc.dictionary(text, tie('json')),
  ),
}));

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
};

const codePoints = (key: string) => [...key].map((character) => character.codePointAt(0) ?? 0);
const inOrder = (left: string, right: string) => {
  const [a, b] = [codePoints(left), codePoints(right)];
  const index = a.findIndex((point, position) => point !== b[position]);
  return index === -1 || (index < b.length && (a[index] ?? 0) < (b[index] ?? 0));
};

test('is the same value for any order of keys, and itself canonical', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const canonical = canonicalJson(value);
      expect(readJson(canonical)).toEqual(readJson(JSON.stringify(value)));
      expect(canonicalJson(shuffled(value))).toBe(canonical);
      expect(canonicalJson(readJson(canonical))).toBe(canonical);
    }),
  );
});

test('sorts keys by code point', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 2 }), (keys) => {
      const canonical = canonicalJson(Object.fromEntries(keys.map((key) => [`k${key}`, 0])));
      const written = [...canonical.matchAll(/("(?:[^"\\]|\\.)*"):0/g)].map((match) =>
        JSON.parse(match[1] ?? ''),
      );
      expect(written).toHaveLength(keys.length);
      for (let index = 1; index < written.length; index++) {
        expect(inOrder(written[index - 1], written[index])).toBe(true);
      }
    }),
  );
});
