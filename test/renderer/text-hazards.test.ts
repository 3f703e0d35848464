import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { initialsOf } from '../../renderer/components/Avatar.tsx';
import {
  identifierWarning,
  inSentence,
  mixedScripts,
  textPieces,
} from '../../renderer/components/text-hazards.ts';
import { stubPage } from './page-stub.ts';

stubPage();

// English is in the code, so no catalog is loaded.
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
  ['a hidden message behind a flag', `🏴${'\u{E0067}'.repeat(8)}`, ['U+E0067', 'U+E0067']],
  ['a hidden message in tags', 'x\u{E0068}\u{E0069}', ['U+E0068', 'U+E0069']],
  ['control characters, but not line breaks and tabs', 'a\nb\tc\u0007', ['U+0007']],
])('marks invisible characters in %s', (_, text, hazards) => {
  const pieces = textPieces(text);
  expect(pieces.flatMap(({ hazard }) => (hazard === undefined ? [] : [hazard]))).toEqual(hazards);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test.each([
  ['direction marks', '\u202E'],
  ['direction marks between letters', 'a\u202E'],
  ['letters without a gap', 'x'],
  ['accents without a letter', 'A\u0301'],
  ['emoji', '👨\u200D👩\u200D👧'],
  ['tags', '\u{E0067}'],
])(
  'a hundred thousand %s make few pieces, none long, without losing a letter',
  { timeout: 10_000 },
  (_, unit) => {
    const text = unit.repeat(100_000 / unit.length);
    const pieces = textPieces(text);
    expect(pieces.filter(({ hazard }) => hazard !== undefined).length).toBeLessThan(1_000);
    expect(Math.max(...pieces.map((piece) => piece.text.length))).toBeLessThan(1_500);
    const letters = (of: string) => of.replaceAll(/[\u202E\uFFFD\u{E0067}]/gu, '');
    expect(letters(pieces.map((piece) => piece.text).join(''))).toBe(letters(text));
    // Invisible characters are shown, even without a name.
    expect(pieces.some((piece) => piece.hazard === undefined && piece.text.includes('\u202E'))).toBe(false);
  },
);

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
  ['@al\u200Bice:example.org', 'Contains invisible characters'],
  ['@\u0430lice:example.org', 'Mixes look-alike Latin and Cyrillic letters'],
  ['@\u0430\u0441\u0435:example.org', 'Contains non-ASCII letters (possible look-alikes)'],
])('warns about an ID: %s', (identifier, warning) => {
  expect(identifierWarning(identifier)).toBe(warning);
});

test.each([
  ['Ada Lovelace', 'AL'],
  ['Bram de Vries', 'BD'],
  ['@grace_hopper', 'GH'],
  ['🦊 fox', 'F'],
  ['🦊', ''],
  ['', ''],
  ['Дмитрий', 'Д'],
  [null, ''],
])('the initials of %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ['a plain name', 'Spam', 'Spam'],
  ['a name in another script', 'Спам', '\u2068Спам\u2069'],
  ['a direction override', 'Spam\u202Edeteled', 'Spam[RLO]deteled'],
  ['an isolate that is not closed', '\u2067Спам', '\u2068[RLI]Спам\u2069'],
])('in a sentence, %s reorders nothing around it', (_, name, shown) => {
  expect(inSentence(name)).toBe(shown);
});
