/** Lists of words and link domains that rules look for: documents of the kind `words`, and built-in ones. */
import { type Static, Type } from 'typebox';
import { fits } from '../fits.ts';
import { urgentWords } from '../urgent-words.ts';
import type { DocumentsOfKind } from './documents.ts';

export const wordsKind = 'words';

export const maxWords = 1000;
export const maxWordLength = 100;

export const WordList = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  /** Found as a whole, in any case. */
  words: Type.Array(Type.String({ minLength: 1, maxLength: maxWordLength }), { maxItems: maxWords }),
  /** Found with their subdomains. */
  domains: Type.Array(Type.String({ minLength: 1, maxLength: maxWordLength }), { maxItems: maxWords }),
});
export type WordList = Static<typeof WordList>;
export type KeyedWordList = WordList & {
  key: string;
  /** As it comes with Gatehouse: no document replaces it. */
  isBuiltIn: boolean;
  /** Deleting it brings the built-in list back. */
  replacesBuiltIn: boolean;
};

export const builtInWordLists: Readonly<Record<string, WordList>> = {
  'self-harm': { name: 'Self-harm', words: [...urgentWords.selfHarm], domains: [] },
  minors: { name: 'Minors', words: [...urgentWords.minors], domains: [] },
  threats: { name: 'Threats', words: [...urgentWords.threats], domains: [] },
};

/** Returns the built-in lists and the team's. A document replaces the built-in list with its key. */
export function wordListsIn(documents: DocumentsOfKind): KeyedWordList[] {
  const lists = new Map<string, KeyedWordList>(
    Object.entries(builtInWordLists).map(([key, list]) => [
      key,
      { ...list, key, isBuiltIn: true, replacesBuiltIn: false },
    ]),
  );
  for (const [key, { content }] of documents) {
    const replacesBuiltIn = builtInWordLists[key] !== undefined;
    if (fits(WordList, content)) lists.set(key, { ...content, key, isBuiltIn: false, replacesBuiltIn });
  }
  return [...lists.values()];
}

/** Enough of a text to decide. */
const maxTextLength = 4000;

/** Returns a function that finds a list's words and domains in a text. */
export function matcherOf({
  words,
  domains,
}: Pick<WordList, 'words' | 'domains'>): (text: string) => boolean {
  const phrases = words
    .map((word) => escaped(normalized(word).trim()).replace(/\s+/g, '\\s+'))
    .filter(Boolean);
  const hosts = domains.map((domain) => escaped(normalized(domain).trim())).filter(Boolean);
  const patterns = [
    ...(phrases.length > 0 ? [`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`] : []),
    // Part of another domain: before a letter or hyphen, or with a further label after it.
    ...(hosts.length > 0
      ? [`(?<![\\p{L}\\p{N}-])(?:${hosts.join('|')})(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`]
      : []),
  ];
  if (patterns.length === 0) return () => false;
  const pattern = new RegExp(patterns.join('|'), 'iu');
  return (text) => pattern.test(normalized(text.slice(0, maxTextLength)));
}

/** Full-width and other variants of letters count as these letters. */
const normalized = (text: string) => text.normalize('NFKC');

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Reads one word or phrase per line. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** Reads a domain from a domain or URL; undefined if it's neither. */
export function domainOf(text: string): string | undefined {
  const [, host] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:www\.)?([^\s/?#:@]+)/i.exec(text.trim()) ?? [];
  const domain = host?.toLowerCase().replace(/^\*?\.|\.$/g, '');
  return domain && /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(domain) ? domain : undefined;
}

export const matchersOf = (lists: readonly KeyedWordList[]) =>
  new Map(lists.map((list) => [list.key, matcherOf(list)]));
