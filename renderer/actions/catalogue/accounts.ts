/** The end of an account, and its return. */
import { IconEraser, IconUserCheck, IconUserX } from '@tabler/icons-react';
import { deactivate, reactivate, setAdministrator, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const accounts = [
  action({
    ...ofUser,
    id: 'deactivate-user',
    icon: IconUserX,
    needs: ['deactivate', 'accounts'],
    harms: true,
    settles: true,
    destructive: true,
    typed: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {The account of {name} ends: they are signed out everywhere, leave all rooms, and the name can never be used by anyone else.} other {# accounts end: their users are signed out everywhere, leave all rooms, and their names can never be used by anyone else.}}',
      lost: /*i18n*/ 'Sessions, memberships, addresses and keys do not come back.',
      doing: /*i18n*/ '{count, plural, one {Deactivating {name}} other {Deactivating # users}}',
      done: /*i18n*/ '{count, plural, one {{name} is deactivated} other {# users are deactivated}}',
    },
    fields: [
      {
        kind: 'flag',
        name: 'erase',
        label: /*i18n*/ 'Erase, too',
        note: /*i18n*/ 'The profile goes, and whoever joins a room later sees nothing of what they wrote.',
        initial: false,
      },
      {
        kind: 'flag',
        name: 'revoke',
        label: /*i18n*/ 'Revoke administrator, too',
        note: /*i18n*/ 'Else whoever reactivates the account makes an administrator of it.',
        initial: true,
        asked: ({ known: { user, own } }) => Boolean(user?.admin) && !own,
      },
    ],
    async run({ server, first }, { userId }, { fields }) {
      const erase = fields.erase === true;
      // Somebody else can have ended it since the person was asked.
      const isSo = await first(async () => {
        const { deactivated, erased } = await userNow(server, userId);
        return Boolean(deactivated) && (!erase || Boolean(erased));
      });
      if (!isSo) await deactivate(server, userId, erase);
      if (fields.revoke === true) await setAdministrator(server, userId, false);
      return { unchanged: isSo && fields.revoke !== true, ...(erase && { detail: 'erased' }) };
    },
  }),
  action({
    ...ofUser,
    id: 'reactivate-user',
    icon: IconUserCheck,
    usual: true,
    needs: ['users', 'accounts'],
    shownOnce: true,
    applies: ({ user }) => Boolean(user?.deactivated),
    words: {
      will: /*i18n*/ '{name} can sign in again. The rooms that they were in, their addresses and what they had stored stay gone.',
      doing: /*i18n*/ 'Reactivating {name}',
      done: /*i18n*/ '{name} is active again',
    },
    fields: [
      {
        kind: 'flag',
        name: 'withPassword',
        label: /*i18n*/ 'With a password, made here and shown to you once',
        note: /*i18n*/ 'Without one they sign in through another service, or after one is set.',
        initial: true,
        // Not where MAS lets nobody sign in with a password.
        asked: ({ offered }) => offered.has('ownAccounts') || offered.has('resetPassword'),
      },
    ],
    async run({ server }, { userId }, { fields }) {
      const password =
        fields.withPassword === true ? (await import('../new-password.ts')).newPassword() : undefined;
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
    icon: IconEraser,
    needs: ['deactivate', 'accounts'],
    harms: true,
    settles: true,
    destructive: true,
    typed: true,
    applies: ({ user }) => Boolean(user?.deactivated) && !user?.erased,
    words: {
      will: /*i18n*/ '{count, plural, one {The profile of {name} goes, and who joins a room later sees nothing of what they wrote.} other {The profiles of # users go, and who joins a room later sees nothing of what they wrote.}}',
      lost: /*i18n*/ 'The profile does not come back.',
      doing: /*i18n*/ '{count, plural, one {Erasing {name}} other {Erasing # users}}',
      done: /*i18n*/ '{count, plural, one {{name} is erased} other {# users are erased}}',
    },
    async run({ server }, { userId }) {
      await deactivate(server, userId, true);
      return {};
    },
  }),
];
