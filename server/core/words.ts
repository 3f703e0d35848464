/** Texts as words that are compared, alike on every engine. */

/** The longest word that is told from others, in characters. */
const maximumWord = 64;
/** So many words of a text can be found. */
const maximumWords = 5_000;

/** Letters and digits, but for those that SQLite's index of texts takes for marks between words. */
const word = /[[\p{L}\p{N}]--[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]]+/gv;

/** The words of a text in small letters and without accents, in their order. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded.match(word) ?? [];
  return words.slice(0, maximumWords).map((each) => each.slice(0, maximumWord));
}

/** The words that a search looks for, each once. */
export const searchedWords = (term: string): string[] => [...new Set(wordsOf(term))].slice(0, 20);
