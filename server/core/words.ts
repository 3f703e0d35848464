/** Texts as words that are compared, alike on every engine. */

/** The longest word that is told from others, in characters. */
const maximumWord = 64;
/** So many words of a text can be found. */
const maximumWords = 5_000;

/** The words of a text in small letters and without accents, in their order. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, maximumWords).map((word) => word.slice(0, maximumWord));
}

/** The words that a search looks for, each once. */
export const searchedWords = (term: string): string[] => [...new Set(wordsOf(term))].slice(0, 20);

/** How well a text fits: more for more of what was looked for, and for less besides. Between 0 and 1. */
export function rankOf(text: string, searched: readonly string[]): number {
  const words = wordsOf(text);
  const hits = words.filter((word) => searched.some((start) => word.startsWith(start))).length;
  return hits / (hits + Math.sqrt(words.length) + 1);
}

/** Those words of a text that were looked for, as they are compared. */
export const hitsIn = (text: string, searched: readonly string[]): string[] =>
  wordsOf(text).filter((word) => searched.some((start) => word.startsWith(start)));
