import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { identifierWarning, mixedScripts, textPieces } from '../../renderer/components/text-hazards.ts';

// English stands in the code, so there is nothing to load.
beforeAll(() => i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} }));

test.each([
  ['plain text', 'hello, wörld — 你好', []],
  ['a right-to-left override', 'a\u202Eb', ['RLO']],
  ['isolates', '\u2066a\u2069', ['LRI', 'PDI']],
  ['a hidden space', 'pass\u200Bword', ['zero width space']],
  ['a joiner between Latin letters', 'a\u200Db', ['ZWJ']],
  ['a family emoji', '👨\u200D👩\u200D👧', []],
  ['Persian', 'می\u200Cخواهم', []],
  ['a regional flag', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}', []],
  ['a hidden message in tags', 'x\u{E0068}\u{E0069}', ['U+E0068', 'U+E0069']],
  ['control characters, but not line breaks and tabs', 'a\nb\tc\u0007', ['U+0007']],
])('marks what does not show in %s', (_, text, hazards) => {
  const pieces = textPieces(text);
  expect(pieces.flatMap(({ hazard }) => (hazard === undefined ? [] : [hazard]))).toEqual(hazards);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test.each([
  ['paypal', undefined],
  ['p\u0430ypal', ['Latin', 'Cyrillic']],
  ['Alpha \u0391\u03BB\u03C6\u03B1', undefined],
  ['\u0391lpha', ['Latin', 'Greek']],
  ['Москва 2026', undefined],
])('finds letters of look-alike scripts in one word: %s', (text, scripts) => {
  expect(mixedScripts(text)).toEqual(scripts);
});

test.each([
  ['@alice:example.org', undefined],
  ['@al\u200Bice:example.org', 'Holds characters that do not show'],
  ['@\u0430lice:example.org', 'Mixes Latin and Cyrillic letters that look alike'],
  ['@\u0430\u0441\u0435:example.org', 'Holds letters beyond ASCII, which can look like others'],
])('warns of an identifier: %s', (identifier, warning) => {
  expect(identifierWarning(identifier)).toBe(warning);
});
