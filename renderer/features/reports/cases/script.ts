/**
 * Detects the script of a text, from which moderators choose cases that they can read. It doesn't detect the language.
 */

export const scripts = [
  'latin',
  'cyrillic',
  'arabic',
  'chinese',
  'japanese',
  'korean',
  'devanagari',
  'hebrew',
  'greek',
  'thai',
  'other',
] as const;
export type Script = (typeof scripts)[number];

const letters: readonly (readonly [Script, RegExp])[] = [
  ['latin', /\p{Script=Latin}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['chinese', /\p{Script=Han}/gu],
  ['japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['korean', /\p{Script=Hangul}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['thai', /\p{Script=Thai}/gu],
  ['other', /\p{L}/gu],
];

/** Maximum length of the checked text. */
const maxLength = 500;
/** Links, IDs and markup are Latin in any language. */
const notProse = /<[^>]*>|\b[a-z]+:\/\/\S+|[@#!$][^\s:]+:\S+/giu;

/** Returns the script of most letters; undefined without letters. Chinese characters between kana are Japanese. */
export function scriptOf(text: string): Script | undefined {
  const prose = text.slice(0, maxLength).replace(notProse, ' ');
  const counts = new Map(letters.map(([script, pattern]) => [script, prose.match(pattern)?.length ?? 0]));
  const count = (script: Script) => counts.get(script) ?? 0;
  if (count('japanese') > 0) {
    counts.set('japanese', count('japanese') + count('chinese'));
    counts.set('chinese', 0);
  }
  const known = scripts.slice(0, -1).reduce((sum, script) => sum + count(script), 0);
  counts.set('other', count('other') - known);
  const [most] = scripts.toSorted((one, other) => count(other) - count(one));
  return most !== undefined && count(most) > 0 ? most : undefined;
}
