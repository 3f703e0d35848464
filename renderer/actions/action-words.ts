import { i18n } from '@lingui/core';
import { inSentence } from '../components/text-hazards.ts';
import { exactTime } from '../components/time.ts';
import type { Action, Words } from './action.ts';
import { actionById } from './catalogue/catalogue.ts';
import { type Item, nameOf, userOf } from './items.ts';

/** Returns one of an action's messages, about these items. */
export function actionText(
  { label, words }: Action,
  which: keyof Words | 'label',
  items: readonly Item[],
): string {
  const [first] = items;
  return i18n.t((which === 'label' ? label : words[which]) ?? '', {
    count: items.length,
    users: countUsers(items),
    name: first ? nameOf(first) : '',
  });
}

/** Actions of other screens. */
const otherLabels = new Map([
  ['appeal', /*i18n*/ 'Record appeal'],
  ['uphold-appeal', /*i18n*/ 'Uphold appeal'],
  ['deny-appeal', /*i18n*/ 'Deny appeal'],
  ['hold-evidence', /*i18n*/ 'Hold evidence'],
  ['release-evidence', /*i18n*/ 'Release evidence'],
  ['remove-evidence', /*i18n*/ 'Remove evidence'],
  ['remove-strike', /*i18n*/ 'Remove strike'],
  ['log-in-as', /*i18n*/ '{count, plural, one {Log in as user} other {Log in as # users}}'],
  ['create-token', /*i18n*/ 'Create token'],
  ['change-token', /*i18n*/ 'Change token'],
  ['pause-background-updates', /*i18n*/ 'Pause background updates'],
  ['resume-background-updates', /*i18n*/ 'Resume background updates'],
  ['start-background-update', /*i18n*/ 'Start background update'],
  ['create-policy-list', /*i18n*/ 'Create policy list'],
  ['watch-policy-list', /*i18n*/ 'Watch policy list'],
  ['unwatch-policy-list', /*i18n*/ 'Unwatch policy list'],
  ['make-user', /*i18n*/ '{count, plural, one {Create user} other {Create # users}}'],
  ['update-user', /*i18n*/ '{count, plural, one {Update user} other {Update # users}}'],
]);

/** Returns the label of a log entry's action, or its ID if it's unknown. */
export function actionLabel({ action }: { action: string }): string {
  const label = actionById(action)?.label ?? otherLabels.get(action);
  return label === undefined ? inSentence(action) : i18n.t(label, { count: 1, users: 1, name: '' });
}

/** Returns the number of items; for users in rooms, of distinct users. */
export const countUsers = (items: readonly Item[]): number =>
  items[0]?.kind === 'member' ? new Set(items.map(userOf)).size : items.length;

/** Returns the number of files as text; empty if the action counts none. */
export const mediaText = (media: number | undefined): string =>
  media === undefined ? '' : i18n.t('{count, plural, one {one file} other {# files}}', { count: media });

/** Returns the number of other resolved reports as text; empty for none. */
export const furtherText = (count: number): string =>
  count === 0
    ? ''
    : i18n.t('{count, plural, one {One other report resolved} other {# other reports resolved}}', { count });

/** Returns when a permission expires as text; empty if it doesn't. */
export const expiryText = (until: number | undefined): string =>
  until === undefined ? '' : i18n.t('until {time}', { time: exactTime(until) });

/** Returns the heading of a section in the menu and command palette. */
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
export function shortActionText(action: Action, items: readonly Item[]): string {
  const label = actionText(action, 'label', items);
  return items[0] && items.length === 1 ? `${label} ${nameOf(items[0])}` : label;
}
