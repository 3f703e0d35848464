/** Single sessions of users. */
import { IconDevicesOff } from '@tabler/icons-react';
import { endSession } from '../../api/user-changes.ts';
import { action } from '../action.ts';

export const sessions = [
  action<'device'>({
    id: 'end-device',
    kind: 'device',
    group: 'user',
    icon: IconDevicesOff,
    usual: true,
    needs: ['devices', 'accounts'],
    harms: true,
    words: {
      will: /*i18n*/ '{count, plural, one {The session {name} ends; they can sign in again.} other {# sessions end; their user can sign in again.}}',
      lost: /*i18n*/ 'The keys for encrypted messages that only an ended session had do not come back.',
      doing: /*i18n*/ '{count, plural, one {Ending the session {name}} other {Ending # sessions}}',
      done: /*i18n*/ '{count, plural, one {The session {name} has ended} other {# sessions have ended}}',
    },
    async run({ server }, { userId, deviceId, mas }) {
      if (mas) await (await import('../../api/mas-sessions.ts')).endMasSession(server, mas);
      else await endSession(server, userId, deviceId);
      return { detail: deviceId };
    },
  }),
];
