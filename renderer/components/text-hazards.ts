import { i18n } from '@lingui/core';
import { list } from '../words/format.ts';

/** Detects text that deceives its reader: changes of direction, invisible characters, look-alike letters. */

const names: Record<number, string> = {
  173: 'soft hyphen',
  1564: 'ALM',
  6158: 'vowel separator',
  8203: 'zero width space',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'word joiner',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  12644: 'hangul filler',
  65279: 'BOM',
};

/**
 * Characters that hide or reorder text, and needless control characters. Joiners are legitimate in emoji and in Persian
 * and Indic scripts; beside a Latin letter they only hide. Up to six tags after a black flag are a region's flag.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: detects control characters
  /([\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\u3164\uFEFF\uFFF9-\uFFFB]|[\u200C\u200D](?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])[\u200C\u200D]|[\u{E0001}-\u{E007F}](?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{1,6}))/gu;

type TextPiece = { text: string; hazard?: string };

/** Further ones are replaced by one sign per run: the page freezes with a hundred thousand elements. */
const maxNamed = 300;
const placeholder = '\uFFFD';
/** Layout time is quadratic in the length of text without a break. */
const shortPieces = /[\s\S]{1,500}\p{M}{0,20}/gu;

/**
 * Splits the text into short pieces. Each invisible or reordering character is a separate piece, with its name as
 * `hazard`.
 */
export function textPieces(text: string): TextPiece[] {
  const pieces = text.split(invisible, 2 * maxNamed);
  const rest = text
    .slice(pieces.join('').length)
    .replace(invisible, placeholder)
    .replace(/\uFFFD+/g, placeholder);
  return [...pieces, rest].flatMap((piece, index): TextPiece | TextPiece[] =>
    index % 2 && piece
      ? { text: piece, hazard: characterName(piece) }
      : (piece.match(shortPieces) ?? []).map((text) => ({ text })),
  );
}

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Makes an untrusted name safe in a sentence: shows hidden characters and isolates its text direction. */
export function inSentence(name: string): string {
  const visible = textPieces(name)
    .map(({ text, hazard }) => (hazard === undefined ? text : `[${hazard}]`))
    .join('');
  const isPlain = /^[\x20-\x7e]*$/.test(visible) && document.dir !== 'rtl';
  return isPlain ? visible : `\u2068${visible}\u2069`;
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map((script) => ({
  script,
  pattern: new RegExp(`\\p{Script=${script}}`, 'u'),
}));

/** Returns the look-alike scripts that one word mixes, or undefined. */
export function mixedScripts(text: string): string[] | undefined {
  for (const word of text.split(/[^\p{L}\p{M}\p{N}]+/u)) {
    const used = scripts.filter(({ pattern }) => pattern.test(word)).map(({ script }) => script);
    if (used.length > 1) return used;
  }
  return undefined;
}

/** Returns why an ID is deceptive, or undefined. Today's IDs are plain ASCII. */
export function identifierWarning(identifier: string): string | undefined {
  if (identifier.search(invisible) !== -1) return i18n.t('Contains invisible characters');
  const mixed = mixedScripts(identifier);
  if (mixed) return i18n.t('Mixes look-alike {scripts} letters', { scripts: list(mixed) });
  const beyondAscii = /[^\p{ASCII}]/u.exec(identifier);
  return beyondAscii ? i18n.t('Contains non-ASCII letters (possible look-alikes)') : undefined;
}

/** Returns why a display name is deceptive, or undefined. */
export function nameWarning(name: string): string | undefined {
  const mixed = mixedScripts(name);
  return mixed && i18n.t('Mixes look-alike {scripts} letters', { scripts: list(mixed) });
}
