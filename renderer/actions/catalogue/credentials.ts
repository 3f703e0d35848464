/** With what a user is signed in: their sessions, and the password. */
import { IconKey, IconLogout } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { endSessions, resetPassword, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const credentials = [
  action({
    ...ofUser,
    id: 'end-sessions',
    icon: IconLogout,
    needs: ['devices', 'accounts'],
    harms: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} is signed out everywhere and can sign in again.} other {# users are signed out everywhere and can sign in again.}}',
      lost: /*i18n*/ 'The keys for encrypted messages that only an ended session had do not come back.',
      doing:
        /*i18n*/ '{count, plural, one {Ending the sessions of {name}} other {Ending the sessions of # users}}',
      done: /*i18n*/ '{count, plural, one {{name} is signed out everywhere} other {# users are signed out everywhere}}',
    },
    async run({ server }, { userId }) {
      return { detail: `${await endSessions(server, userId)} sessions` };
    },
  }),
  action({
    ...ofUser,
    id: 'reset-password',
    icon: IconKey,
    needs: ['resetPassword'],
    takesOver: true,
    shownOnce: true,
    harms: true,
    applies: ({ user }) => !user?.deactivated && user?.mas !== null,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} gets a new password that is made here and shown to you once.} other {# users get new passwords that are made here and shown to you once.}}',
      lost: /*i18n*/ 'The old password works no longer.',
      doing: /*i18n*/ '{count, plural, one {Resetting the password of {name}} other {Resetting # passwords}}',
      done: /*i18n*/ '{count, plural, one {{name} has a new password} other {# users have new passwords}}',
    },
    fields: [{ kind: 'flag', name: 'endSessions', label: /*i18n*/ 'End all sessions, too', initial: true }],
    async run({ server }, { userId }, { fields }) {
      // Servers take a password for an account that nobody can sign in to.
      if ((await userNow(server, userId)).deactivated) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'The account is deactivated: a password alone lets nobody in. Reactivate the user, which gives them one.',
        );
      }
      const password = (await import('../new-password.ts')).newPassword();
      await resetPassword(server, userId, { password, endSessions: fields.endSessions === true });
      return { secret: password };
    },
  }),
];
