/** Who administers the server. */
import { i18n } from '@lingui/core';
import { IconShieldMinus, IconShieldPlus } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { setAdministrator, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';
import { switched } from './switched.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true, needs: ['administrators'] } as const;

const sets = (admin: boolean) =>
  switched<{ userId: string }>(admin, async (server, { userId }, on) => {
    if (on && (await userNow(server, userId)).deactivated) throw deactivated();
    return setAdministrator(server, userId, on);
  });

const deactivated = () => new ConnectionFailure('refused', /*i18n*/ 'The account is deactivated.');

const made =
  /*i18n*/ '{count, plural, one {{name} administers the server} other {# users administer the server}}';
const revoked =
  /*i18n*/ '{count, plural, one {{name} no longer administers the server} other {# users no longer administer the server}}';

export const rights = [
  action({
    ...ofUser,
    id: 'make-administrator',
    icon: IconShieldPlus,
    applies: ({ user }) => !user?.admin && !user?.deactivated && user?.mas !== null,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can read, change and delete everything on this server, like you, and can take your rights away.} other {# users can read, change and delete everything on this server, like you, and can take your rights away.}}',
      doing: /*i18n*/ '{count, plural, one {Making {name} an administrator} other {Making # administrators}}',
      done: made,
      undone: revoked,
    },
    ...sets(true),
  }),
  action({
    ...ofUser,
    id: 'revoke-administrator',
    icon: IconShieldMinus,
    harms: true,
    foresee: async ({ mas }) => ({
      said: mas ? [i18n.t('Sessions that already have admin access keep it until they end.')] : [],
    }),
    applies: ({ user }) => user === undefined || (Boolean(user.admin) && user.mas !== null),
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can no longer administer this server; the sessions go on.} other {# users can no longer administer this server; their sessions go on.}}',
      doing:
        /*i18n*/ '{count, plural, one {Revoking the rights of {name}} other {Revoking the rights of # users}}',
      done: revoked,
      undone: made,
    },
    ...sets(false),
  }),
];
