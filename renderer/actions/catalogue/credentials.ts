/** With what a user is signed in: their sessions, and the password. */
import { IconKey, IconLogout } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { endSessions, resetPassword, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';
import { newPassword } from '../new-password.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const credentials = [
  action({
    ...ofUser,
    id: 'end-sessions',
    label: /*i18n*/ '{count, plural, one {Sign out all devices} other {Sign out # users everywhere}}',
    hint: /*i18n*/ 'Signs the user out everywhere',
    icon: IconLogout,
    needs: ['devices', 'accounts'],
    harms: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ 'Signs {count, plural, one {{name}} other {# users}} out everywhere. They can sign in again.',
      lost: /*i18n*/ 'Encryption keys stored only in signed-out sessions are lost.',
      doing: /*i18n*/ 'Signing {count, plural, one {{name}} other {# users}} out everywhere',
      done: /*i18n*/ '{count, plural, one {{name}} other {# users}} signed out everywhere',
    },
    async run({ server }, { userId }) {
      return { detail: `${await endSessions(server, userId)} sessions` };
    },
  }),
  action({
    ...ofUser,
    id: 'reset-password',
    label: /*i18n*/ '{count, plural, one {Reset password} other {Reset # passwords}}',
    hint: /*i18n*/ 'Generates a password, shown once',
    icon: IconKey,
    needs: ['resetPassword'],
    takesOver: true,
    shownOnce: true,
    harms: true,
    applies: ({ user }) => !user?.deactivated && user?.mas !== null,
    words: {
      will: /*i18n*/ 'Generates {count, plural, one {a new password for {name}} other {new passwords for # users}}, shown once.',
      lost: /*i18n*/ 'The old password no longer works.',
      doing: /*i18n*/ '{count, plural, one {Resetting the password of {name}} other {Resetting # passwords}}',
      done: /*i18n*/ '{count, plural, one {Password of {name} reset} other {# passwords reset}}',
    },
    fields: [
      { kind: 'flag', name: 'endSessions', label: /*i18n*/ 'Also sign out all devices', initial: true },
    ],
    async run({ server }, { userId }, { fields }) {
      // Servers take a password for an account that nobody can sign in to.
      if ((await userNow(server, userId)).deactivated) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'This account is deactivated. Reactivate the user to set a password.',
        );
      }
      const password = newPassword();
      await resetPassword(server, userId, { password, endSessions: fields.endSessions === true });
      return { secret: password };
    },
  }),
];
