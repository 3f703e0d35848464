/** The end of an account, and its return. */
import { IconEraser, IconUserCheck, IconUserX } from '@tabler/icons-react';
import { deactivate, reactivate, setAdministrator, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';
import { newPassword } from '../new-password.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const accounts = [
  action({
    ...ofUser,
    id: 'deactivate-user',
    label: /*i18n*/ '{count, plural, one {Deactivate user} other {Deactivate # users}}',
    hint: /*i18n*/ 'Signs the user out and leaves all rooms',
    icon: IconUserX,
    needs: ['deactivate', 'accounts'],
    harms: true,
    settles: true,
    destructive: true,
    typed: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ 'Signs {count, plural, one {{name}} other {# users}} out everywhere and leaves all rooms. User IDs can never be reused.',
      lost: /*i18n*/ "Sessions, memberships, addresses and keys can't be restored.",
      doing: /*i18n*/ '{count, plural, one {Deactivating {name}} other {Deactivating # users}}',
      done: /*i18n*/ '{count, plural, one {{name} deactivated} other {# users deactivated}}',
    },
    fields: [
      {
        kind: 'flag',
        name: 'erase',
        label: /*i18n*/ 'Also erase',
        note: /*i18n*/ 'Deletes the profile and hides messages from new room members.',
        initial: false,
      },
      {
        kind: 'flag',
        name: 'revoke',
        label: /*i18n*/ 'Also remove admin',
        note: /*i18n*/ 'Otherwise, reactivated admins keep their admin rights.',
        initial: true,
        asked: ({ administrators, known: { own } }) => administrators.length > 0 && !own,
      },
    ],
    async run({ server, first }, { userId }, { fields }) {
      const erase = fields.erase === true;
      // Somebody else can have ended it since the person was asked.
      const { isSo, admin } = await first(async () => {
        const user = await userNow(server, userId);
        return { isSo: Boolean(user.deactivated) && (!erase || Boolean(user.erased)), admin: user.admin };
      });
      const revokes = fields.revoke === true && Boolean(admin);
      if (!isSo) await deactivate(server, userId, erase);
      if (revokes) await setAdministrator(server, userId, false);
      return { unchanged: isSo && !revokes, ...(erase && { detail: 'erased' }) };
    },
  }),
  action({
    ...ofUser,
    id: 'reactivate-user',
    label: /*i18n*/ 'Reactivate user',
    hint: /*i18n*/ 'Lets the user sign in again',
    icon: IconUserCheck,
    usual: true,
    needs: ['users', 'accounts'],
    shownOnce: true,
    applies: ({ user }) => Boolean(user?.deactivated),
    words: {
      will: /*i18n*/ '{name} can sign in again. Room memberships, addresses and stored data stay deleted.',
      doing: /*i18n*/ 'Reactivating {name}',
      done: /*i18n*/ '{name} reactivated',
    },
    fields: [
      {
        kind: 'flag',
        name: 'withPassword',
        label: /*i18n*/ 'Generate a password (shown once)',
        note: /*i18n*/ 'Otherwise, sign-in needs an identity provider or a password set later.',
        initial: true,
        // Not where MAS lets nobody sign in with a password.
        asked: ({ offered }) => offered.has('ownAccounts') || offered.has('resetPassword'),
      },
    ],
    async run({ server }, { userId }, { fields }) {
      const password = fields.withPassword === true ? newPassword() : undefined;
      const { deactivated } = await userNow(server, userId);
      // Who was reactivated by somebody else meanwhile keeps the password that they were given.
      if (!deactivated) return { unchanged: true };
      await reactivate(server, userId, password);
      return password === undefined ? {} : { secret: password };
    },
  }),
  action({
    ...ofUser,
    id: 'erase-user',
    label: /*i18n*/ '{count, plural, one {Erase user} other {Erase # users}}',
    hint: /*i18n*/ 'Removes the profile; hides messages from new members',
    icon: IconEraser,
    needs: ['deactivate', 'accounts'],
    harms: true,
    settles: true,
    destructive: true,
    typed: true,
    applies: ({ user }) => Boolean(user?.deactivated) && !user?.erased,
    words: {
      will: /*i18n*/ 'Deletes {count, plural, one {the profile of {name}} other {# profiles}} and hides messages from new room members.',
      lost: /*i18n*/ "The profile can't be restored.",
      doing: /*i18n*/ '{count, plural, one {Erasing {name}} other {Erasing # users}}',
      done: /*i18n*/ '{count, plural, one {{name} erased} other {# users erased}}',
    },
    async run({ server }, { userId }) {
      await deactivate(server, userId, true);
      return {};
    },
  }),
];
