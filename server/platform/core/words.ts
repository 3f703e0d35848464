/** Texts as words that are compared, alike on every engine. */
import { forEachYielding } from '../concurrency/yield.ts';

/** The longest word that is told from others, in characters. */
const maximumWord = 64;
/** So many words of a text can be found. */
const maximumWords = 5_000;

/** Letters and digits, but for those that SQLite's index of texts takes for marks between words. */
const word = /[[\p{L}\p{N}]--[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]]+/gv;

const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** The words of a text in small letters and without accents, in their order. */
export function wordsOf(text: string): string[] {
  const words = fold(text).toLowerCase().match(word) ?? [];
  return words.slice(0, maximumWords).map((each) => each.slice(0, maximumWord));
}

/** The words of texts that pass a test of what `wordsOf` makes of them, each once, as they stand there; in turns. */
export async function spelledWords(
  texts: Iterable<string>,
  test: (word: string) => boolean,
): Promise<string[]> {
  const spelled = new Set<string>();
  for (const text of texts) {
    await forEachYielding(text.match(/\S+/g) ?? [], (piece) => {
      if (!wordsOf(piece).some(test)) return;
      for (const each of spelledIn(piece, test)) spelled.add(each);
    });
  }
  return [...spelled];
}

function spelledIn(text: string, test: (word: string) => boolean): string[] {
  let folded = '';
  /** For each place in what the text is folded to, where in the text it comes from. */
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const made = fold(character);
    folded += made;
    for (let unit = 0; unit < made.length; unit++) from.push(at);
    at += character.length;
  }
  const spelled: string[] = [];
  for (const { 0: found, index } of folded.toLowerCase().matchAll(word)) {
    const whole = found.slice(0, maximumWord);
    if (!test(whole)) continue;
    const last = from[index + whole.length - 1] ?? 0;
    // The last character with the accents that follow it.
    const end = /^.\p{M}*/su.exec(text.slice(last))?.[0].length ?? 1;
    spelled.push(text.slice(from[index], last + end));
  }
  return spelled;
}

/** The words that a search looks for, each once. */
export const searchedWords = (term: string): string[] => [...new Set(wordsOf(term))].slice(0, 20);
