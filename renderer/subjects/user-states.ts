import { i18n } from '@lingui/core';
import type { User } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';

/** What an account is and what was done to it, in words; nothing for an ordinary one. */
export function statesOf(user: User | UserListItem): { words: string; grave: boolean }[] {
  return [
    {
      is: user.deactivated,
      words: user.erased ? i18n.t('Deactivated and erased') : i18n.t('Deactivated'),
      grave: true,
    },
    { is: user.locked, words: i18n.t('Locked'), grave: true },
    { is: user.suspended, words: i18n.t('Suspended'), grave: true },
    { is: user.shadow_banned, words: i18n.t('Shadow-banned'), grave: true },
    {
      is: user.admin,
      words: user.deactivated
        ? i18n.t('Server administrator again if reactivated')
        : i18n.t('Server administrator'),
      grave: false,
    },
    { is: user.is_guest, words: i18n.t('Guest'), grave: false },
    { is: user.user_type === 'bot', words: i18n.t('Bot'), grave: false },
    { is: user.user_type === 'support', words: i18n.t('Support account'), grave: false },
    {
      is: 'appservice_id' in user && user.appservice_id,
      words: i18n.t('Of an application service'),
      grave: false,
    },
  ].filter(({ is }) => Boolean(is));
}
