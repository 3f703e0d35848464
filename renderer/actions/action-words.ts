import { i18n } from '@lingui/core';
import { exactTime } from '../components/time.ts';
import { number } from '../words/format.ts';
import type { Action, Words } from './action.ts';
import { actionById } from './catalogue/catalogue.ts';
import { type Item, inSentence, nameOf, userOf } from './items.ts';

/** Returns one of an action's messages, about these items. */
export function say({ label, words }: Action, which: keyof Words | 'label', items: readonly Item[]): string {
  const [first] = items;
  return i18n.t((which === 'label' ? label : words[which]) ?? '', {
    count: items.length,
    // One user in many rooms is one user.
    users: usersIn(items),
    name: first ? nameOf(first) : '',
  });
}

/** Logged by screens of their own. */
const otherLabels = new Map([
  ['log-in-as', /*i18n*/ '{count, plural, one {Log in as user} other {Log in as # users}}'],
  ['make-user', /*i18n*/ '{count, plural, one {Create user} other {Create # users}}'],
]);

/** Names the action of a log entry: by its label, or by its id if a later console logged it. */
export function nameOfAction({ action }: { action: string }): string {
  const label = actionById(action)?.label ?? otherLabels.get(action);
  return label === undefined ? inSentence(action) : i18n.t(label, { count: 1, users: 1, name: '' });
}

/** How many users these are, where each is a user in a room; else how many there are. */
export const usersIn = (items: readonly Item[]): number =>
  items[0]?.kind === 'member' ? new Set(items.map(userOf)).size : items.length;

/** How many pictures and files were reached; empty where that is no question. */
export const sayMedia = (media: number | undefined): string =>
  media === undefined
    ? ''
    : i18n.t('{count, plural, one {one file} other {{shown} files}}', {
        count: media,
        shown: number(media),
      });

/** How many other reports were marked with those that it was done because of; empty where none was. */
export const sayFurther = (count: number): string =>
  count === 0
    ? ''
    : i18n.t('{count, plural, one {One other report resolved} other {{shown} other reports resolved}}', {
        count,
        shown: number(count),
      });

/** Until when it holds, where what was allowed to one ends by itself. */
export const sayUntil = (until: number | undefined): string =>
  until === undefined ? '' : i18n.t('until {time}', { time: exactTime(until) });

/** What the parts of the menu and of the palette are called. */
export function groupName(group: Action['group'], hasEvent: boolean): string {
  switch (group) {
    case 'event':
      return hasEvent ? i18n.t('Event') : i18n.t('Media');
    case 'report':
      return i18n.t('Report');
    case 'room':
      return i18n.t('Room');
    case 'server':
      return i18n.t('Server');
    case 'user':
      return hasEvent ? i18n.t('Sender') : i18n.t('User');
  }
}

/** Names an action and its one item, as in “Undo: Suspend user @x”. */
export function sayBriefly(action: Action, items: readonly Item[]): string {
  const label = say(action, 'label', items);
  return items[0] && items.length === 1 ? `${label} ${nameOf(items[0])}` : label;
}
