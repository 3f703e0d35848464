import type { Messages } from '@lingui/core';

type Message = Messages[string];

const plain = 'abcdefghijklmnoprstuvwxyzABCDEFGHILMNOPRSTUVWYZ';
const other = 'áƀçðéƒĝĥíĵķļɱñóþŕšţúṽŵẋýžÁßÇÐÉƑĜĤÍĻṀÑÓÞŔŠŢÚṼŴÝŽ';
const letters: Record<string, string> = Object.fromEntries(
  [...plain].map((letter, index) => [letter, [...other][index] ?? letter]),
);

/**
 * English in other letters and a third longer: what stands in plain letters on the screen is hard-coded, and
 * what is cut off would be cut off in a language of longer words.
 */
export const disguised = (english: Messages): Messages =>
  Object.fromEntries(Object.entries(english).map(([id, message]) => [id, disguise(message)]));

function disguise(message: Message): Message {
  const parts = typeof message === 'string' ? [message] : message;
  const length = parts.filter((part) => typeof part === 'string').join('').length;
  return ['⟦', ...parts.map(part), `${'·'.repeat(Math.ceil(length / 3))}⟧`] as Message;
}

/** Text is disguised, a placeholder stays; of a plural each form is disguised. */
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
