import { i18n } from '@lingui/core';
import type { User } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';
import { exactTime } from '../components/time.ts';
import type { ActionEntry, TeamEntry } from '../team/entries.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { relativeDay, shortDay, weekday } from '../words/format.ts';

// Adds time and admin to states from the team's log: servers store neither.

/** An action and its inverse. */
type ActionPair = readonly [begins: string, ends: string];

/** Whether an entry starts the state or ends it; undefined if neither. */
export function startsState(entry: TeamEntry, [begins, ends]: ActionPair): boolean | undefined {
  if (entry.type !== 'action' || entry.subject.kind !== 'user' || entry.outcome === 'failed')
    return undefined;
  const { action, outcome } = entry;
  if (action !== begins && action !== ends) return undefined;
  return (action === begins) === (outcome === 'done');
}

/**
 * Returns the entry that started the current state, if any.
 *
 * @param entries newest first
 */
function startOfState(entries: readonly TeamEntry[], pair: ActionPair): ActionEntry | undefined {
  const last = entries.find((entry) => startsState(entry, pair) !== undefined);
  return last?.type === 'action' && startsState(last, pair) ? last : undefined;
}

/** `Suspended since Tuesday, by @ada`. */
const stateSince = (state: string, { at, by }: ActionEntry, ownServer: string): string =>
  i18n.t('{state} since {day}, by {who}', {
    state,
    day: dayText(at, Date.now()),
    who: ellipsize(shortId(by, ownServer)),
  });

/** Formats `today`, `yesterday`, `Tuesday`, or a date; both times in milliseconds. */
function dayText(timestamp: number, now: number): string {
  const midnight = (of: number) => new Date(of).setHours(0, 0, 0, 0);
  // Days have 23 to 25 hours.
  const days = Math.round((midnight(now) - midnight(timestamp)) / 86_400_000);
  if (days === 0 || days === 1) return relativeDay(-days);
  return days > 1 && days < 7 ? weekday(new Date(timestamp)) : shortDay(new Date(timestamp));
}

/** `when`: the exact start time, if known. */
export type State = { words: string; grave: boolean; when?: string | undefined };

/** The team's log on the account, newest first, and the server name to leave out of user IDs. */
type TeamLog = { entries: readonly TeamEntry[]; ownServer: string };

/** Returns an account's states as badges; none for an ordinary account. */
export function userStates(user: User | UserListItem, log?: TeamLog): State[] {
  return [
    {
      is: user.deactivated,
      words: user.erased ? i18n.t('Deactivated and erased') : i18n.t('Deactivated'),
      // The erasure may be more recent.
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
      const entry = log && by && startOfState(log.entries, by);
      return entry
        ? { words: stateSince(words, entry, log.ownServer), grave, when: exactTime(entry.at) }
        : { words, grave };
    });
}
