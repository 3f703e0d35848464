/** Splits text into words for search, in the same way for each engine. */
import { forEachYielding } from '../concurrency/yield.ts';

/** Longer words are cut, in characters. */
const maximumWord = 64;
/** Number of words of a text that search finds. */
const maximumWords = 5_000;

/** Letters and digits, except those that SQLite's FTS5 treats as separators. */
const word = /[[\p{L}\p{N}]--[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]]+/gv;

const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** Returns a text's words in order, in lower case and without accents. */
export function wordsOf(text: string): string[] {
  const words = fold(text).toLowerCase().match(word) ?? [];
  return words.slice(0, maximumWords).map((each) => each.slice(0, maximumWord));
}

/** Returns words as written in texts, each once, whose normalized form passes a test. Yields to the event loop. */
export async function wordsAsWritten(
  texts: Iterable<string>,
  test: (word: string) => boolean,
): Promise<string[]> {
  const written = new Set<string>();
  for (const text of texts) {
    await forEachYielding(text.match(/\S+/g) ?? [], (piece) => {
      if (!wordsOf(piece).some(test)) return;
      for (const each of writtenWordsIn(piece, test)) written.add(each);
    });
  }
  return [...written];
}

function writtenWordsIn(text: string, test: (word: string) => boolean): string[] {
  let folded = '';
  /** For each index in the folded text, the index in the text. */
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const part = fold(character);
    folded += part;
    for (let unit = 0; unit < part.length; unit++) from.push(at);
    at += character.length;
  }
  const written: string[] = [];
  for (const { 0: found, index } of folded.toLowerCase().matchAll(word)) {
    const whole = found.slice(0, maximumWord);
    if (!test(whole)) continue;
    const last = from[index + whole.length - 1] ?? 0;
    // Includes the accents after the last character.
    const end = /^.\p{M}*/su.exec(text.slice(last))?.[0].length ?? 1;
    written.push(text.slice(from[index], last + end));
  }
  return written;
}

/** Returns the distinct words of a search term. */
export const searchedWords = (term: string): string[] => [...new Set(wordsOf(term))].slice(0, 20);
