/** Who administers the server. */
import { i18n } from '@lingui/core';
import { IconShieldMinus, IconShieldPlus } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { setAdministrator, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';
import type { ItemOf } from '../subject.ts';
import { switched } from './switched.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true, needs: ['administrators'] } as const;

const sets = (admin: boolean) =>
  switched<ItemOf<'user'>>(admin, async (server, { userId }, on) => {
    if (on && (await userNow(server, userId)).deactivated) throw deactivated();
    return setAdministrator(server, userId, on);
  });

const deactivated = () => new ConnectionFailure('refused', /*i18n*/ 'The account is deactivated.');

const made =
  /*i18n*/ '{count, plural, one {{name} is now a server admin} other {# users are now server admins}}';
const revoked = /*i18n*/ 'Server admin rights removed from {count, plural, one {{name}} other {# users}}';

export const rights = [
  action({
    ...ofUser,
    id: 'make-administrator',
    label: /*i18n*/ '{count, plural, one {Make admin} other {Make # admins}}',
    hint: /*i18n*/ 'Grants the same rights you have',
    icon: IconShieldPlus,
    applies: ({ user }) => !user?.admin && !user?.deactivated && user?.mas !== null,
    words: {
      will: /*i18n*/ 'Lets {count, plural, one {{name}} other {# users}} read, change and delete everything here and remove your admin rights.',
      doing: /*i18n*/ 'Making {count, plural, one {{name} a server admin} other {# users server admins}}',
      done: made,
      undone: revoked,
    },
    ...sets(true),
  }),
  action({
    ...ofUser,
    id: 'revoke-administrator',
    label: /*i18n*/ '{count, plural, one {Remove admin} other {Remove # admins}}',
    hint: /*i18n*/ 'Removes server admin rights',
    icon: IconShieldMinus,
    harms: true,
    foresee: async ({ mas }) => ({
      said: mas ? [i18n.t('Sessions that already have admin access keep it until they end.')] : [],
    }),
    applies: ({ user }) => user === undefined || (Boolean(user.admin) && user.mas !== null),
    words: {
      will: /*i18n*/ 'Removes server admin rights from {count, plural, one {{name}} other {# users}}. Sessions continue.',
      doing: /*i18n*/ 'Removing server admin rights from {count, plural, one {{name}} other {# users}}',
      done: revoked,
      undone: made,
    },
    ...sets(false),
  }),
];
