import type { Messages } from '@lingui/core';
import { compileMessage } from './compile-message.ts';

const latin = 'abcdefghijklmnoprstuvwxyzABCDEFGHILMNOPRSTUVWYZ';
const accented = 'áƀçðéƒĝĥíĵķļɱñóþŕšţúṽŵẋýžÁßÇÐÉƑĜĤÍĻṀÑÓÞŔŠŢÚṼŴÝŽ';
const letters: Record<string, string> = Object.fromEntries(
  [...latin].map((letter, index) => [letter, [...accented][index] ?? letter]),
);

/**
 * Pseudo-localizes English with other letters, a third longer: plain letters on screen are hard-coded text, and long
 * text must not be cut off.
 */
export const pseudoLocalize = (english: readonly string[]): Messages =>
  Object.fromEntries(english.map((message) => [message, transformMessage(message)]));

function transformMessage(message: string): Messages[string] {
  const parts = compileMessage(message);
  const length = parts.filter((transformPart) => typeof transformPart === 'string').join('').length;
  return ['⟦', ...parts.map(transformPart), `${'·'.repeat(Math.ceil(length / 3))}⟧`] as Messages[string];
}

/** Changes text and plural forms, but not placeholders. */
function transformPart(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/[a-z]/gi, (letter) => letters[letter] ?? letter);
  if (!Array.isArray(value)) return value;
  const [name, format, forms] = value;
  if (typeof forms !== 'object' || forms === null) return value;
  const changed = Object.entries(forms).map(([key, form]) => [
    key,
    Array.isArray(form) ? form.map((each) => transformPart(each)) : transformPart(form),
  ]);
  return [name, format, Object.fromEntries(changed)];
}
