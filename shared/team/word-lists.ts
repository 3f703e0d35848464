/** Lists of words, link domains and files that rules look for: documents of the kind `words`, and built-in ones. */
import { type Static, Type } from 'typebox';
import { fits } from '../fits.ts';
import { urgentWords } from '../urgent-words.ts';
import type { DocumentsOfKind } from './documents.ts';

export const wordsKind = 'words';

export const maxWords = 1000;
export const maxWordLength = 100;

export const WordList = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  /** Matched as whole words, in any case. */
  words: Type.Array(Type.String({ minLength: 1, maxLength: maxWordLength }), { maxItems: maxWords }),
  /** Matched with their subdomains. */
  domains: Type.Array(Type.String({ minLength: 1, maxLength: maxWordLength }), { maxItems: maxWords }),
  /** SHA-256 of files, hexadecimal in lower case. */
  files: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: maxWords })),
});
export type WordList = Static<typeof WordList>;
export type KeyedWordList = WordList & {
  key: string;
  /** Unchanged from Gatehouse: no document replaces it. */
  isBuiltIn: boolean;
  /** Deleting it restores the built-in list. */
  replacesBuiltIn: boolean;
};

/** Key of the list of files, which is empty at first. */
export const knownFilesKey = 'known-files';

export const builtInWordLists: Readonly<Record<string, WordList>> = {
  'self-harm': { name: 'Self-harm', words: [...urgentWords.selfHarm], domains: [] },
  minors: { name: 'Minors', words: [...urgentWords.minors], domains: [] },
  threats: { name: 'Threats', words: [...urgentWords.threats], domains: [] },
  [knownFilesKey]: { name: 'Known files', words: [], domains: [], files: [] },
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

/** Maximum text length to search. */
const maxTextLength = 4000;

/** Whether a list has one of these files, or a word or domain in the text. */
export type Matcher = (text: string, files?: readonly string[]) => boolean;

export function matcherOf({ words, domains, files = [] }: Omit<WordList, 'name'>): Matcher {
  const known = new Set(files);
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
  const pattern = patterns.length > 0 ? new RegExp(patterns.join('|'), 'iu') : undefined;
  return (text, hashes = []) =>
    pattern?.test(normalized(text.slice(0, maxTextLength))) === true ||
    hashes.some((hash) => known.has(hash));
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

/** Reads a file's SHA-256 from hexadecimal digits; undefined if it isn't one. */
export function fileHashOf(text: string): string | undefined {
  const hash = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
}

/**
 * Returns the hashes of encrypted files in an event's untrusted content, in hexadecimal digits. The hash is of the
 * ciphertext, which differs with each upload.
 */
export function encryptedFileHashes(content: unknown): string[] {
  const { file, info } = (content ?? {}) as { file?: unknown; info?: { thumbnail_file?: unknown } };
  return [file, info?.thumbnail_file].flatMap((each) => {
    const { sha256 } = (each as { hashes?: { sha256?: unknown } } | null | undefined)?.hashes ?? {};
    if (typeof sha256 !== 'string' || !/^[A-Za-z0-9+/]{43}=?$/.test(sha256)) return [];
    const bytes = Array.from(atob(sha256), (letter) => letter.charCodeAt(0));
    return [bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')];
  });
}

/** Whether any list has files: their hashes are loaded only then. */
export const haveFiles = (lists: readonly WordList[]): boolean =>
  lists.some(({ files = [] }) => files.length > 0);

/** Reads a domain from a domain or URL; undefined if it's neither. */
export function domainOf(text: string): string | undefined {
  const [, host] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:www\.)?([^\s/?#:@]+)/i.exec(text.trim()) ?? [];
  const domain = host?.toLowerCase().replace(/^\*?\.|\.$/g, '');
  return domain && /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(domain) ? domain : undefined;
}

export const matchersOf = (lists: readonly KeyedWordList[]) =>
  new Map(lists.map((list) => [list.key, matcherOf(list)]));
