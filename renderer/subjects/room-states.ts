import { i18n } from '@lingui/core';
import {
  IconArrowRight,
  IconBan,
  IconHierarchy,
  IconHome,
  IconListSearch,
  IconLock,
  IconUsersMinus,
  IconVersions,
  IconWorld,
} from '@tabler/icons-react';
import type { Room } from '../api/room.ts';
import type { State } from '../components/State.tsx';
import { ellipsize } from '../words/clip.ts';

/** Returns a room's states as badges. */
export function roomStates(room: Room, isBlocked = false): State[] {
  const states: (State & { is: unknown })[] = [
    { is: isBlocked, words: i18n.t('Blocked'), tone: 'danger', icon: IconBan },
    { is: room.tombstoned, words: i18n.t('Replaced'), tone: 'warning', icon: IconArrowRight },
    { is: room.joined_members === 0, words: i18n.t('No members'), tone: 'warning', icon: IconUsersMinus },
    { is: room.encryption, words: i18n.t('Encrypted'), tone: 'success', icon: IconLock },
    { is: room.room_type === 'm.space', words: i18n.t('Space'), tone: 'neutral', icon: IconHierarchy },
    { is: room.join_rules === 'public', words: i18n.t('Public'), tone: 'info', icon: IconWorld },
    { is: room.public, words: i18n.t('In room directory'), tone: 'neutral', icon: IconListSearch },
    { is: room.federatable === false, words: i18n.t('Not federated'), tone: 'neutral', icon: IconHome },
    {
      is: room.version,
      words: i18n.t('Version {version}', { version: ellipsize(room.version ?? '', 30) }),
      tone: 'neutral',
      icon: IconVersions,
    },
  ];
  return states.filter(({ is }) => Boolean(is));
}
