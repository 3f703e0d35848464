import { i18n } from '@lingui/core';
import type { User } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';
import { exactTime } from '../components/time.ts';
import type { TeamEntry } from '../team/entries.ts';
import { inForceBy, sinceThen } from './in-force.ts';

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
