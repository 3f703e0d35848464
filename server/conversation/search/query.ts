/**
 * The language of searches, that of PostgreSQL's `websearch_to_tsquery` on every engine: words, "words that stand
 * together", `or` between alternatives, and `-` before what is not to be there. Any text at all is a search.
 */
import { wordsOf } from '../../platform/core/words.ts';

/** Words that are looked for together. */
export type Part = {
  words: readonly string[];
  /** Whether they stand one behind the other, as they are; else a word may begin with each of them, in any order. */
  isPhrase: boolean;
};

/** What a text holds all of, and nothing of. Something is always wanted. */
type Alternative = { wanted: readonly Part[]; unwanted: readonly Part[] };

/** A text fits that fits one of these; without any, none does. */
export type Query = readonly Alternative[];

/** So many words of a search are looked for. */
const maximumWords = 20;

/** Keyboards of telephones write quotation marks of their own. */
const token = /(?<minus>-?)(?:["“”„](?<quoted>[^"“”„]*)["“”„]?|(?<plain>[^\s"“”„]+))/gu;

export function parseQuery(term: string): Query {
  let current: { wanted: Part[]; unwanted: Part[] } = { wanted: [], unwanted: [] };
  const alternatives = [current];
  let left = maximumWords;
  /** An `or` that may yet turn out to have nothing behind it; then it is a word. */
  let or: Part | undefined;
  for (const { groups = {} } of term.matchAll(token)) {
    const { minus, quoted, plain = '' } = groups;
    const words = wordsOf(quoted ?? plain).slice(0, left);
    if (words.length === 0) continue;
    const part: Part = { words, isPhrase: quoted !== undefined };
    const isEmpty = current.wanted.length + current.unwanted.length === 0;
    if (or) {
      current = { wanted: [], unwanted: [] };
      alternatives.push(current);
      or = undefined;
    } else if (/^or$/i.test(plain) && minus === '' && !isEmpty) {
      or = part;
      continue;
    }
    (minus === '' ? current.wanted : current.unwanted).push(part);
    left -= words.length;
    if (left === 0) break;
  }
  if (or) current.wanted.push(or);
  return alternatives.filter(({ wanted }) => wanted.length > 0);
}

/** Whether a text fits, by its words. */
export const fits = (query: Query, words: readonly string[]): boolean =>
  query.some(
    ({ wanted, unwanted }) =>
      wanted.every((part) => holdsPart(part, words)) && !unwanted.some((part) => holdsPart(part, words)),
  );

const holdsPart = ({ words: asked, isPhrase }: Part, words: readonly string[]): boolean =>
  isPhrase
    ? words.some((_, start) => asked.every((word, index) => words[start + index] === word))
    : asked.every((begin) => words.some((word) => word.startsWith(begin)));

/** What says of a word whether it is looked for. */
export function hitTest(query: Query): (word: string) => boolean {
  const parts = query.flatMap(({ wanted }) => wanted);
  const whole = new Set(parts.flatMap(({ isPhrase, words }) => (isPhrase ? words : [])));
  const begins = [...new Set(parts.flatMap(({ isPhrase, words }) => (isPhrase ? [] : words)))];
  return (word) => whole.has(word) || begins.some((begin) => word.startsWith(begin));
}

/** How well a text fits: more for more of what was looked for, and for less besides. Between 0 and 1. */
export function rankOf(words: readonly string[], isHit: (word: string) => boolean): number {
  const hits = words.filter(isHit).length;
  return hits / (hits + Math.sqrt(words.length) + 1);
}
