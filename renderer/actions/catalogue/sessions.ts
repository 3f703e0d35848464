/** Single sessions of users. */
import { IconDevicesOff } from '@tabler/icons-react';
import { endMasSession } from '../../api/mas-sessions.ts';
import { endSession } from '../../api/user-changes.ts';
import { action } from '../action.ts';

export const sessions = [
  action<'device'>({
    id: 'end-device',
    label: /*i18n*/ '{count, plural, one {Sign out session} other {Sign out # sessions}}',
    hint: /*i18n*/ 'Signs the user out on this device',
    kind: 'device',
    group: 'user',
    icon: IconDevicesOff,
    usual: true,
    needs: ['devices', 'accounts'],
    harms: true,
    words: {
      will: /*i18n*/ 'Signs out {count, plural, one {session {name}} other {# sessions}}. The user can sign in again.',
      lost: /*i18n*/ 'Encryption keys stored only in signed-out sessions are lost.',
      doing: /*i18n*/ 'Signing out {count, plural, one {session {name}} other {# sessions}}',
      done: /*i18n*/ '{count, plural, one {Session {name}} other {# sessions}} signed out',
    },
    async run({ server }, { userId, deviceId, mas }) {
      if (mas) await endMasSession(server, mas);
      else await endSession(server, userId, deviceId);
      return { detail: deviceId };
    },
  }),
];
