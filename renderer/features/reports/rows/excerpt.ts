import { clipped } from '../../../words/beginning.ts';

/** A piece of a text, and whether it is one of the words that were sought. */
export type ExcerptPiece = { text: string; isMatch: boolean };

/** So many characters stand before the match, so that it shows in a narrow row, and so many in all. */
const lead = 16;
const longest = 200;

/**
 * A text from a little before the first place where one of the words stands, in one line, with the words marked.
 *
 * @param first of these words, in small letters as all of them are, the place is looked for
 * @returns undefined where none of those is in the text
 */
export function excerptOf(text: string, words: readonly string[], first = words): ExcerptPiece[] | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const at = line.search(anyOf(first));
  if (at === -1) return undefined;
  const start = at <= lead ? 0 : wordStart(line, at - lead, at);
  return `${start > 0 ? '…' : ''}${clipped(line.slice(start), longest)}`
    .split(anyOf(words))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '');
}

/** The next beginning of a word, if there is one before `most`; else where half a character isn't cut off. */
function wordStart(line: string, from: number, most: number): number {
  const space = line.indexOf(' ', from);
  if (space !== -1 && space < most) return space + 1;
  return /[\uDC00-\uDFFF]/.test(line.charAt(from)) ? from + 1 : from;
}

/** Longer words first: what one begins with is no match of its own. */
const anyOf = (words: readonly string[]) =>
  new RegExp(
    `(${words
      .toSorted((one, other) => other.length - one.length)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('|')})`,
    'iu',
  );
