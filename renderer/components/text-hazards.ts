import { i18n } from '@lingui/core';
import { list } from '../words/format.ts';

/**
 * What a text can do to whoever reads it: turn the direction around, hide characters, or look like another
 * text. Found here, shown by `HazardText` and `Identifier`.
 */

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
 * What hides or turns text, and the control characters that no text needs. Joiners have honest uses (emoji, Persian,
 * Indic scripts); beside a Latin letter they only hide. Behind a black flag six tags at most make it a region's.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /([\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\u3164\uFEFF\uFFF9-\uFFFB]|[\u200C\u200D](?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])[\u200C\u200D]|[\u{E0001}-\u{E007F}](?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{1,6}))/gu;

export type TextPiece = { text: string; hazard?: string };

/**
 * Of a text with more of them those that follow are a sign within it, however many stand together: with a hundred
 * thousand names, or signs, a page stands still.
 */
const mostNamed = 300;
const sign = '\uFFFD';
/** Without a gap, what is laid out as one takes the square of its length. */
const parts = /[\s\S]{1,500}\p{M}{0,20}/gu;

/** The text in short pieces; each hidden or direction-changing character is one, with its name as `hazard`. */
export function textPieces(text: string): TextPiece[] {
  const begin = text.split(hidden, 2 * mostNamed);
  const rest = text
    .slice(begin.join('').length)
    .replace(hidden, sign)
    .replace(/\uFFFD+/g, sign);
  return [...begin, rest].flatMap((piece, index): TextPiece | TextPiece[] =>
    index % 2 && piece
      ? { text: piece, hazard: characterName(piece) }
      : (piece.match(parts) ?? []).map((text) => ({ text })),
  );
}

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map((script) => ({
  script,
  pattern: new RegExp(`\\p{Script=${script}}`, 'u'),
}));

/** The scripts that one word mixes although their letters look alike, or undefined where none does. */
export function mixedScripts(text: string): string[] | undefined {
  for (const word of text.split(/[^\p{L}\p{M}\p{N}]+/u)) {
    const found = scripts.filter(({ pattern }) => pattern.test(word)).map(({ script }) => script);
    if (found.length > 1) return found;
  }
  return undefined;
}

/** Why an identifier may not be what it looks like; identifiers of today are plain ASCII. */
export function identifierWarning(identifier: string): string | undefined {
  if (identifier.search(hidden) !== -1) return i18n.t('Contains invisible characters');
  const mixed = mixedScripts(identifier);
  if (mixed) return i18n.t('Mixes look-alike {scripts} letters', { scripts: list(mixed) });
  const beyondAscii = /[^\p{ASCII}]/u.exec(identifier);
  return beyondAscii ? i18n.t('Contains non-ASCII letters (possible look-alikes)') : undefined;
}

/** Why a name that a person chose may not be what it looks like. */
export function nameWarning(name: string): string | undefined {
  const mixed = mixedScripts(name);
  return mixed && i18n.t('Mixes look-alike {scripts} letters', { scripts: list(mixed) });
}
