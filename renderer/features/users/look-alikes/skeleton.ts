import confusables from 'unhomoglyph/data.json';

/** Unicode's table (TR39): for a character the one, or the few, that it is taken for. */
const prototypes: Readonly<Record<string, string>> = confusables;

/**
 * What is left of a text for the eye: two texts that look alike have the same. Unicode's skeleton (TR39), and more of
 * what is hard to tell apart in small type: upper and lower case, accents, `i` and `l`, `d` and `cl`, `w` and `vv`.
 * What stands between letters counts only where there is nothing else.
 */
export function skeleton(text: string): string {
  // What has no look-alike as a capital can have one as a small letter: `m` is `rn`.
  const small = withoutMarks(prototype(withoutMarks(text))).toLowerCase();
  const seen = prototype(small).replace(/[idw]/g, (letter) => pairs[letter] ?? '');
  return seen.replace(/[^\p{L}\p{N}]+/gu, '') || seen.trim();
}

const pairs: Readonly<Record<string, string>> = { i: 'l', d: 'cl', w: 'vv' };

const prototype = (text: string) =>
  Array.from(text, (character) => prototypes[character] ?? character).join('');

const withoutMarks = (text: string) =>
  text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');
