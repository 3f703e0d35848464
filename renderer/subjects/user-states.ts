import { i18n } from '@lingui/core';
import {
  IconEyeOff,
  IconHeadset,
  IconLock,
  IconPlayerPause,
  IconPlug,
  IconRobot,
  IconShield,
  IconTag,
  IconUserOff,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { ActionEntry, Subject, TeamEntry } from '../../shared/team/entries.ts';
import { subjectsOf } from '../../shared/team/fold.ts';
import type { User } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';
import type { State } from '../components/State.tsx';
import { inSentence } from '../components/text-hazards.ts';
import { exactTime } from '../components/time.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { relativeDay, shortDay, weekday } from '../words/format.ts';

// Adds time and admin to states from the team's log: servers store neither.

/** An action and its inverse. */
type ActionPair = readonly [begins: string, ends: string];

/** Whether an entry starts the state or ends it; undefined if neither. */
function startsState(entry: TeamEntry, [begins, ends]: ActionPair): boolean | undefined {
  if (entry.type !== 'action' || entry.outcome === 'failed') return undefined;
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

/**
 * Returns whether the team's last action of a pair started the state or ended it, by key.
 *
 * @param entries newest first
 * @param keyOf the state's key; undefined for other subjects
 */
export function statesByTeam(
  entries: readonly TeamEntry[],
  pair: ActionPair,
  keyOf: (subject: Subject, entry: ActionEntry) => string | undefined,
): ReadonlyMap<string, boolean> {
  const states = new Map<string, boolean>();
  for (const entry of entries) {
    const isInForce = startsState(entry, pair);
    if (isInForce === undefined || entry.type !== 'action') continue;
    for (const subject of subjectsOf(entry)) {
      const key = keyOf(subject, entry);
      if (key !== undefined && !states.has(key)) states.set(key, isInForce);
    }
  }
  return states;
}

/** Returns whether each user is suspended, as far as the team's log says. */
export const suspensionsByTeam = (entries: readonly TeamEntry[]) =>
  statesByTeam(entries, ['suspend-user', 'unsuspend-user'], (subject) =>
    subject.kind === 'user' ? subject.userId : undefined,
  );

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

/** The team's log on the account, newest first, and the server name to leave out of user IDs. */
type TeamLog = { entries: readonly TeamEntry[]; ownServer: string };

/** Returns an account's states as badges; none for an ordinary account. */
export function userStates(user: User | UserListItem, log?: TeamLog): State[] {
  const states: (State & { is: unknown; by?: ActionPair | undefined })[] = [
    {
      is: user.deactivated,
      words: user.erased ? i18n.t('Deactivated and erased') : i18n.t('Deactivated'),
      // The erasure may be more recent.
      by: user.erased ? undefined : (['deactivate-user', 'reactivate-user'] as const),
      tone: 'danger',
      icon: IconUserOff,
    },
    {
      is: user.locked,
      words: i18n.t('Locked'),
      by: ['lock-user', 'unlock-user'] as const,
      tone: 'warning',
      icon: IconLock,
    },
    {
      is: user.suspended,
      words: i18n.t('Suspended'),
      by: ['suspend-user', 'unsuspend-user'] as const,
      tone: 'warning',
      icon: IconPlayerPause,
    },
    {
      is: user.shadow_banned,
      words: i18n.t('Shadow-banned'),
      by: ['shadow-ban-user', 'unshadow-ban-user'] as const,
      tone: 'warning',
      icon: IconEyeOff,
    },
    {
      is: user.admin,
      words: user.deactivated ? i18n.t('Server admin once reactivated') : i18n.t('Server admin'),
      tone: 'info',
      icon: IconShield,
    },
    { is: user.is_guest, words: i18n.t('Guest'), tone: 'neutral', icon: IconUserQuestion },
    { is: user.user_type === 'bot', words: i18n.t('Bot'), tone: 'neutral', icon: IconRobot },
    {
      is: user.user_type === 'support',
      words: i18n.t('Support account'),
      tone: 'neutral',
      icon: IconHeadset,
    },
    {
      is: user.user_type && !['bot', 'support'].includes(user.user_type),
      words: inSentence(ellipsize(user.user_type ?? '', 50)),
      tone: 'neutral',
      icon: IconTag,
    },
    {
      is: 'appservice_id' in user && user.appservice_id,
      words: i18n.t('Application service'),
      tone: 'neutral',
      icon: IconPlug,
    },
  ];
  return states
    .filter(({ is }) => Boolean(is))
    .map(({ words, by, tone, icon }) => {
      const entry = log && by && startOfState(log.entries, by);
      return entry
        ? { words: stateSince(words, entry, log.ownServer), tone, icon, when: exactTime(entry.at) }
        : { words, tone, icon };
    });
}
