/** The difference between two versions of a message. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Piece, wordDifference } from '../../renderer/features/reports/detail/word-difference.ts';

const signs = { same: '', gone: '-', new: '+' };
/** Shows changes in brackets: `[-old][+new]`. */
const shown = (pieces: readonly Piece[]) =>
  pieces.map(({ kind, text }) => (kind === 'same' ? text : `[${signs[kind]}${text}]`)).join('');

test.each([
  ['the same', 'the same', 'the same'],
  ['', 'new text', '[+new text]'],
  ['old text', '', '[-old text]'],
  ['I like cats', 'I like dogs', 'I like [-cats][+dogs]'],
  ['I like cats', 'I really like cats', 'I [+really ]like cats'],
  ['one two three', 'one three', 'one [-two ]three'],
  ['buy at a.example!', 'buy at b.example!', 'buy at [-a][+b].example!'],
  // Words that follow each other are replaced together.
  ['a red car here', 'a blue bike here', 'a [-red car][+blue bike] here'],
  ['Grüße', 'Grüsse', '[-Grüße][+Grüsse]'],
])('from %j to %j', (before, after, difference) => {
  expect(shown(wordDifference(before, after))).toBe(difference);
});

const side = (pieces: readonly Piece[], other: Piece['kind']) =>
  pieces.map(({ kind, text }) => (kind === other ? '' : text)).join('');
const texts = fc.array(fc.constantFrom('a', 'bb', ' ', '\n', '.', 'ü', '👩‍👧'), { maxLength: 12 });

test('both versions can be read from any difference', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const pieces = wordDifference(before.join(''), after.join(''));
      expect(side(pieces, 'new')).toBe(before.join(''));
      expect(side(pieces, 'gone')).toBe(after.join(''));
    }),
  );
});

test('long changes are replaced as a whole, between the common ends', () => {
  const long = (word: string) => Array.from({ length: 300 }, (_, index) => `${word}${index}`).join(' the ');
  expect(wordDifference(`Hi ${long('a')} bye`, `Hi ${long('b')} bye`)).toEqual([
    { kind: 'same', text: 'Hi ' },
    { kind: 'gone', text: long('a') },
    { kind: 'new', text: long('b') },
    { kind: 'same', text: ' bye' },
  ]);
});
