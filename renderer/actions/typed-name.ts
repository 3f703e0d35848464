/** What has to be typed before something dangerous is done, so that it is not done to another one by mistake. */
import type { Action } from './action.ts';
import type { Cautions } from './cautions.ts';
import type { Choice } from './choices.ts';
import { inSentence } from './name-in-sentence.ts';
import type { Item } from './subject.ts';

/** `whole`: the identifier that `text` is a part of; it may be typed instead. */
export type Wanted = { text: string; is: 'own' | 'name' | 'beginning'; whole?: string };

/** More than that by mistake is an outage, even where it can be undone: their number has to be typed. */
const mostWithOneKey = 50;

/**
 * Returns what has to be typed, if anything.
 *
 * @param chosen the steps that are ticked, or the action itself
 */
export function typedFor(
  { action, known }: Choice,
  { items, own }: Pick<Cautions, 'items' | 'own'>,
  chosen: readonly Pick<Action, 'typed'>[] = [action],
): Wanted | undefined {
  const [first] = items;
  if (own && first && 'userId' in first) return { text: first.userId, is: 'own' };
  const most = action.typed === 'over 20' ? 20 : action.typed ? 1 : mostWithOneKey;
  if (items.length > most) return { text: String(items.length), is: 'name' };
  return first && chosen.some(({ typed }) => typed === true) ? identifying(first, known) : undefined;
}

function identifying(first: Item, known: Choice['known']): Wanted | undefined {
  if (first.kind === 'user') {
    const [localpart = ''] = first.userId.slice(1).split(':');
    return isTypeable(localpart)
      ? { text: localpart, is: 'name', whole: first.userId }
      : { text: beginningOf(first.userId), is: 'beginning', whole: inSentence(first.userId) };
  }
  if (first.kind !== 'room') return undefined;
  const names = [first.name, known.room?.canonical_alias].filter((name) => name !== first.roomId);
  const name = names.find(isTypeable);
  if (name) return { text: name, is: 'name' };
  return { text: beginningOf(first.roomId), is: 'beginning', whole: inSentence(first.roomId) };
}

/** Whether what was typed is what was wanted. Of an identifier nobody has to tell capitals from small letters. */
export function isTyped(typed: string, { text, is, whole }: Wanted): boolean {
  const given = typed.trim();
  if (is === 'beginning') return given.replace(/^[!@]/, '').toLowerCase() === text.toLowerCase();
  return given === text || given === whole;
}

/** Of so many letters and digits no server has two rooms that begin with the same, and a glance holds them. */
const enough = 6;

/** The beginning of an identifier, without its sigil. */
const beginningOf = (id: string) => id.slice(1, 1 + enough);

/** More than that nobody types, in characters. */
const longest = 60;

/** A name that a keyboard has the letters for, and few of them. */
const isTypeable = (name: string | null | undefined): name is string =>
  !!name && name.length <= longest && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name);
