/**
 * Search terms, with the syntax of PostgreSQL's `websearch_to_tsquery` on both engines: words, "phrases", `or` between
 * alternatives, and `-` before excluded parts. Every text is valid.
 */
import { wordsOf } from '../../platform/core/words.ts';

export type Part = {
  words: readonly string[];
  /** Whether the words must be consecutive; otherwise each is a prefix, in any order. */
  isPhrase: boolean;
};

/** All of `required`, which isn't empty, and none of `excluded`. */
type Alternative = { required: readonly Part[]; excluded: readonly Part[] };

/** A text matches if one alternative does. */
export type Query = readonly Alternative[];

/** Further words are ignored. */
const maximumWords = 20;

/** Phone keyboards insert typographic quotation marks. */
const token = /(?<minus>-?)(?:["“”„](?<quoted>[^"“”„]*)["“”„]?|(?<plain>[^\s"“”„]+))/gu;

export function parseQuery(term: string): Query {
  let current: { required: Part[]; excluded: Part[] } = { required: [], excluded: [] };
  const alternatives = [current];
  let left = maximumWords;
  /** An `or` is a word unless something follows. */
  let or: Part | undefined;
  for (const { groups = {} } of term.matchAll(token)) {
    const { minus, quoted, plain = '' } = groups;
    const words = wordsOf(quoted ?? plain).slice(0, left);
    if (words.length === 0) continue;
    const part: Part = { words, isPhrase: quoted !== undefined };
    const isEmpty = current.required.length + current.excluded.length === 0;
    if (or) {
      current = { required: [], excluded: [] };
      alternatives.push(current);
      or = undefined;
    } else if (/^or$/i.test(plain) && minus === '' && !isEmpty) {
      or = part;
      continue;
    }
    (minus === '' ? current.required : current.excluded).push(part);
    left -= words.length;
    if (left === 0) break;
  }
  if (or) current.required.push(or);
  return alternatives.filter(({ required }) => required.length > 0);
}

/** @param words of the text */
export const matchesQuery = (query: Query, words: readonly string[]): boolean =>
  query.some(
    ({ required, excluded }) =>
      required.every((part) => containsPart(part, words)) &&
      !excluded.some((part) => containsPart(part, words)),
  );

const containsPart = ({ words: term, isPhrase }: Part, words: readonly string[]): boolean =>
  isPhrase
    ? words.some((_, start) => term.every((word, index) => words[start + index] === word))
    : term.every((begin) => words.some((word) => word.startsWith(begin)));

/** Returns a test for words that the query wants. */
export function hitTest(query: Query): (word: string) => boolean {
  const parts = query.flatMap(({ required }) => required);
  const whole = new Set(parts.flatMap(({ isPhrase, words }) => (isPhrase ? words : [])));
  const begins = [...new Set(parts.flatMap(({ isPhrase, words }) => (isPhrase ? [] : words)))];
  return (word) => whole.has(word) || begins.some((begin) => word.startsWith(begin));
}

/** Returns the relevance of a text, from 0 to 1: higher for more hits and fewer other words. */
export function rankOf(words: readonly string[], isHit: (word: string) => boolean): number {
  const hits = words.filter(isHit).length;
  return hits / (hits + Math.sqrt(words.length) + 1);
}
