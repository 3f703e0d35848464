import { i18n } from '@lingui/core';
import type { User } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';
import type { ActionEntry, TeamEntry } from '../team/entries.ts';
import { clipped, shortId } from '../words/beginning.ts';
import { exactTime, shortDay, weekday, wordOfDay } from '../words/format.ts';

// Since when something is in force, as the team's log has it: a server tells neither when nor by whom.

/** The action that puts it in force, and the one that lifts it. */
type Pair = readonly [begins: string, ends: string];

/** Whether an entry has it put in force or lifted; undefined where it says nothing of it. */
export function putInForce(entry: TeamEntry, [begins, ends]: Pair): boolean | undefined {
  if (entry.type !== 'action' || entry.subject.kind !== 'user' || entry.outcome === 'failed')
    return undefined;
  const { action, outcome } = entry;
  if (action !== begins && action !== ends) return undefined;
  return (action === begins) === (outcome === 'done');
}

/** What put it in force, unless the last that is known of it is that it was lifted. @param entries newest first */
function inForceBy(entries: readonly TeamEntry[], pair: Pair): ActionEntry | undefined {
  const last = entries.find((entry) => putInForce(entry, pair) !== undefined);
  return last?.type === 'action' && putInForce(last, pair) ? last : undefined;
}

/** `Suspended since Tuesday, by @ada`. */
const sinceThen = (state: string, { at, by }: ActionEntry, ownServer: string): string =>
  i18n.t('{state} since {day}, by {who}', {
    state,
    day: dayInWords(at, Date.now()),
    who: clipped(shortId(by, ownServer)),
  });

/** `today`, `yesterday`, `Tuesday`, and the date of what is longer ago; both in milliseconds. */
function dayInWords(timestamp: number, now: number): string {
  const midnight = (of: number) => new Date(of).setHours(0, 0, 0, 0);
  // A day can have 23 hours, or 25.
  const days = Math.round((midnight(now) - midnight(timestamp)) / 86_400_000);
  if (days === 0 || days === 1) return wordOfDay(-days);
  return days > 1 && days < 7 ? weekday(new Date(timestamp)) : shortDay(new Date(timestamp));
}

/** `when`: exactly when it began, where that is known. */
export type State = { words: string; grave: boolean; when?: string | undefined };

/** What the team's log has of the account, newest first, and the server that is not written with its users' ids. */
type Log = { entries: readonly TeamEntry[]; ownServer: string };

/** What an account is and what was done to it, in words, since when and by whom; nothing for an ordinary one. */
export function statesOf(user: User | UserListItem, log?: Log): State[] {
  return [
    {
      is: user.deactivated,
      words: user.erased ? i18n.t('Deactivated and erased') : i18n.t('Deactivated'),
      // The data may have been erased later.
      by: user.erased ? undefined : (['deactivate-user', 'reactivate-user'] as const),
      grave: true,
    },
    { is: user.locked, words: i18n.t('Locked'), by: ['lock-user', 'unlock-user'] as const, grave: true },
    {
      is: user.suspended,
      words: i18n.t('Suspended'),
      by: ['suspend-user', 'unsuspend-user'] as const,
      grave: true,
    },
    {
      is: user.shadow_banned,
      words: i18n.t('Shadow-banned'),
      by: ['shadow-ban-user', 'unshadow-ban-user'] as const,
      grave: true,
    },
    {
      is: user.admin,
      words: user.deactivated ? i18n.t('Server admin once reactivated') : i18n.t('Server admin'),
      grave: false,
    },
    { is: user.is_guest, words: i18n.t('Guest'), grave: false },
    { is: user.user_type === 'bot', words: i18n.t('Bot'), grave: false },
    { is: user.user_type === 'support', words: i18n.t('Support account'), grave: false },
    {
      is: 'appservice_id' in user && user.appservice_id,
      words: i18n.t('Application service'),
      grave: false,
    },
  ]
    .filter(({ is }) => Boolean(is))
    .map(({ words, by, grave }) => {
      const entry = log && by && inForceBy(log.entries, by);
      return entry
        ? { words: sinceThen(words, entry, log.ownServer), grave, when: exactTime(entry.at) }
        : { words, grave };
    });
}
