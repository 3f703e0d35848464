import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../shared/read-json.ts';

/** A JSON text with the value it was generated from. */
type Written = { json: string; value: unknown };

const short: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', '\n': 'n', '\t': 't' };

/** Few characters, so that names share prefixes, including with escape sequences. */
const character = fc.constantFrom(
  '\\',
  '"',
  '\n',
  '\0',
  'a',
  'u',
  '0',
  '1',
  '/',
  '\x9f',
  '\ud83d',
  '\ude00',
  'é',
);
const spelling = fc.constantFrom('raw', 'short', 'long', 'LONG');

const string: fc.Arbitrary<Written> = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(fc.tuple(character, spelling), { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(...[...'__proto__'].map((unit) => fc.tuple(fc.constant(unit), spelling))),
    },
  )
  .map((units) => ({
    json: `"${units.map(([unit, as]) => spelled(unit, as)).join('')}"`,
    value: units.map(([unit]) => unit).join(''),
  }));

function spelled(unit: string, as: string): string {
  if (as === 'raw' && unit >= ' ' && unit !== '"' && unit !== '\\') return unit;
  if (as === 'short' && short[unit]) return `\\${short[unit]}`;
  const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${as === 'LONG' ? code.toUpperCase() : code}`;
}

const blank = fc.constantFrom('', '', '', ' ', '\n\t\r ');

const { written } = fc.letrec<{ written: Written; list: Written; object: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...['0', '-0.5e3', '123456789012345678901234567890', 'true', 'null'].map(asItSays)),
    string,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('written'), { maxLength: 4 }).map((items) => ({
    json: `[${items.map(({ json }) => json).join(',')}]`,
    value: items.map(({ value }) => value),
  })),
  object: fc.array(fc.tuple(string, blank, tie('written')), { maxLength: 4 }).map((members) => ({
    json: `{${members.map(([name, space, { json }]) => `${name.json}${space}:${space}${json}`).join(',')}}`,
    value: Object.fromEntries(members.map(([name, , { value }]) => [name.value, value])),
  })),
}));

function asItSays(json: string): Written {
  return { json, value: json === 'true' ? true : json === 'null' ? null : Number(json) };
}

test('a text is read unchanged, regardless of earlier texts', () => {
  fc.assert(
    fc.property(written, ({ json, value }) => {
      // Also compares the order of names.
      expect(JSON.stringify(readJson(json))).toBe(JSON.stringify(value));
    }),
    { numRuns: 10_000 },
  );
});

test('invalid JSON is refused with the usual error', () => {
  const outcome = (read: (text: string) => unknown, text: string) => {
    try {
      read(text);
      return 'read';
    } catch (error) {
      return `${error}`;
    }
  };
  fc.assert(
    fc.property(
      written,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ':', ',', '}'),
      ({ json }, place, instead) => {
        const at = place % json.length;
        const damaged = json.slice(0, at) + instead + json.slice(at + 1);
        expect(outcome(readJson, damaged)).toBe(outcome(JSON.parse, damaged));
      },
    ),
    { numRuns: 5_000 },
  );
});

test.each([
  ['a quote', String.raw`{"h":[],"\\":0}`, String.raw`{"h":1,"\"":2}`, { h: 1, '"': 2 }],
  ['a letter', String.raw`{"c":[],"x\\":0}`, String.raw`{"c":1,"x\u0041":2}`, { c: 1, xA: 2 }],
  [
    'a line',
    String.raw`{"l":[],"\\":0}`,
    String.raw`[{"l":1,"\n":2},{"l":1,"\n":3}]`,
    [
      { l: 1, '\n': 2 },
      { l: 1, '\n': 3 },
    ],
  ],
])("%s in a name isn't a backslash from another text", (_, before, json, value) => {
  readJson(before);
  expect(readJson(json)).toStrictEqual(value);
});

test('names in deeply nested JSON are read', () => {
  const levels = 100_000;
  let value = readJson(`${String.raw`{"\"":`.repeat(levels)}0${'}'.repeat(levels)}`);
  for (let level = 0; level < levels; level++) {
    if (Object.keys(value)[0] !== '"') expect(value).toHaveProperty('"');
    value = value['"'];
  }
  expect(value).toBe(0);
});
