/** What has to be typed before something dangerous is done, so that it is not done to another one by mistake. */
import type { Cautions } from './cautions.ts';
import type { Choice } from './choices.ts';
import { inSentence } from './name-in-sentence.ts';

/** `whole`: the identifier that begins with it, where nobody would type all of that. */
export type Wanted = { text: string; is: 'own' | 'name' | 'beginning'; whole?: string };

/** More than that by mistake is an outage, even where it can be undone: their number has to be typed. */
const mostWithOneKey = 50;

/** What has to be typed, if anything. */
export function typedFor({ action, known }: Choice, { items, own }: Cautions): Wanted | undefined {
  const [first] = items;
  if (own && first && 'userId' in first) return { text: first.userId, is: 'own' };
  const most = action.typed === 'over 20' ? 20 : action.typed ? 1 : mostWithOneKey;
  if (items.length > most) return { text: String(items.length), is: 'name' };
  if (action.typed !== true || first?.kind !== 'room') return undefined;
  const names = [first.name, known.room?.canonical_alias].filter((name) => name !== first.roomId);
  const name = names.find(isTypeable);
  if (name) return { text: name, is: 'name' };
  return { text: beginningOf(first.roomId), is: 'beginning', whole: inSentence(first.roomId) };
}

/** Whether what was typed is what was wanted. Of an identifier nobody has to tell capitals from small letters. */
export function isTyped(typed: string, { text, is }: Wanted): boolean {
  const given = typed.trim();
  return is === 'beginning' ? given.replace(/^!/, '').toLowerCase() === text.toLowerCase() : given === text;
}

/** Of so many letters and digits no server has two rooms that begin with the same, and a glance holds them. */
const enough = 6;

/** How a room's identifier goes on behind its `!`. */
const beginningOf = (roomId: string) => roomId.replace(/^!/, '').slice(0, enough);

/** More than that nobody types, in characters. */
const longest = 60;

/** A name that a keyboard has the letters for, and few of them. */
const isTypeable = (name: string | null | undefined): name is string =>
  !!name && name.length <= longest && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name);
