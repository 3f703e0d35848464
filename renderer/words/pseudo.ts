import type { Messages } from '@lingui/core';

type Message = Messages[string];

const plain = 'abcdefghijklmnoprstuvwxyzABCDEFGHILMNOPRSTUVWYZ';
const other = 'áƀçðéƒĝĥíĵķļɱñóþŕšţúṽŵẋýžÁßÇÐÉƑĜĤÍĻṀÑÓÞŔŠŢÚṼŴÝŽ';
const letters: Record<string, string> = Object.fromEntries(
  [...plain].map((letter, index) => [letter, [...other][index] ?? letter]),
);

/**
 * Pseudo-localizes English with other letters, a third longer: plain letters on screen are hard-coded text, and long
 * text must not be cut off.
 */
export const disguised = (english: Messages): Messages =>
  Object.fromEntries(Object.entries(english).map(([id, message]) => [id, disguise(message)]));

function disguise(message: Message): Message {
  const parts = typeof message === 'string' ? [message] : message;
  const length = parts.filter((part) => typeof part === 'string').join('').length;
  return ['⟦', ...parts.map(part), `${'·'.repeat(Math.ceil(length / 3))}⟧`] as Message;
}

/** Changes text and plural forms, but not placeholders. */
function part(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/[a-z]/gi, (letter) => letters[letter] ?? letter);
  if (!Array.isArray(value)) return value;
  const [name, format, forms] = value;
  if (typeof forms !== 'object' || forms === null) return value;
  const changed = Object.entries(forms).map(([key, form]) => [
    key,
    Array.isArray(form) ? form.map((each) => part(each)) : part(form),
  ]);
  return [name, format, Object.fromEntries(changed)];
}
