import { i18n } from '@lingui/core';

/** Names an action; undefined for unknown ones. */
export function nameAction(action: string): string | undefined {
  switch (action) {
    case 'purge_history':
      return i18n.t('Purge history');
    case 'shutdown_and_purge_room':
      return i18n.t('Delete room');
    case 'redact_all_events':
      return i18n.t('Redact messages');
    case 'leave_rooms_of_deactivated_user':
      return i18n.t('Leave rooms');
    case 'update_join_states':
      return i18n.t('Update profile');
    case 'delete_device_messages':
      return i18n.t('Delete device messages');
    case 'delete_old_otks':
      return i18n.t('Delete one-time keys');
    default:
      return undefined;
  }
}
