import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';
import { mostMentions } from './entries.ts';

/** The mentions that were opened or dismissed, by their event IDs. */
export const readMentions = ({ id, kept }: Server) =>
  kept.open(`gatehouse.mentions.${id}`, Type.Array(Type.String()), []);

/** `@localpart`, or a whole user ID. */
const mention = /(?<![\p{L}\p{N}_])@[\p{L}\p{N}._=/+-]+(?::[a-z0-9.:[\]-]+)?/giu;
const punctuation = /[^\p{L}\p{N}\]]+$/u;

/** Returns those of these users whom a text mentions. */
export function mentionedIn(text: string, userIds: Iterable<string>): string[] {
  const named = new Set<string>();
  for (const [name] of text.toLowerCase().matchAll(mention))
    named.add(name).add(name.replace(punctuation, ''));
  const isNamed = (userId: string) => {
    const whole = userId.toLowerCase();
    return named.has(whole) || named.has(whole.slice(0, whole.indexOf(':')));
  };
  return named.size === 0 ? [] : [...userIds].filter(isNamed).slice(0, mostMentions);
}
