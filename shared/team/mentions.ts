import { maxMentions } from './entries.ts';

/** `@localpart`, or a whole user ID. */
const mention = /(?<![\p{L}\p{N}_])@[\p{L}\p{N}._=/+-]+(?::[a-z0-9.:[\]-]+)?/giu;
const punctuation = /[^\p{L}\p{N}\]]+$/u;

/** Returns the users that a text mentions. */
export function findMentions(text: string, userIds: Iterable<string>): string[] {
  const named = new Set<string>();
  for (const [name] of text.toLowerCase().matchAll(mention))
    named.add(name).add(name.replace(punctuation, ''));
  const isNamed = (userId: string) => {
    const whole = userId.toLowerCase();
    return named.has(whole) || named.has(whole.slice(0, whole.indexOf(':')));
  };
  return named.size === 0 ? [] : [...userIds].filter(isNamed).slice(0, maxMentions);
}

/** Returns what follows an `@` at the end of a text, such as `bo` in `Thanks @bo`; undefined if there is none. */
export const mentionBefore = (text: string): string | undefined =>
  /(?<![\p{L}\p{N}_])@([\p{L}\p{N}._=/+-]*)$/u.exec(text)?.[1];
