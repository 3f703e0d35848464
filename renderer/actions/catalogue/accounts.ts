/** Deactivation and reactivation. */

import { i18n } from '@lingui/core';
import {
  IconDevicesOff,
  IconEraser,
  IconFingerprint,
  IconKey,
  IconLogout,
  IconShieldMinus,
  IconShieldPlus,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { endMasSession } from '../../api/mas/mas-sessions.ts';
import { allowCrossSigningReset } from '../../api/user.ts';
import {
  deactivate,
  endSession,
  endSessions,
  getUser,
  reactivate,
  resetPassword,
  setServerAdmin,
} from '../../api/user-changes.ts';
import { exactTime } from '../../components/time.ts';
import { action } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { newPassword } from '../new-password.ts';
import { switched } from './changes.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const accounts = [
  action({
    ...ofUser,
    id: 'deactivate-user',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Deactivate user} other {Deactivate # users}}',
    hint: /*i18n*/ 'Signs the user out and leaves all rooms',
    icon: IconUserX,
    needs: ['deactivate', 'accounts'],
    harms: true,
    resolvesReports: true,
    destructive: true,
    endsItem: true,
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
        isShown: ({ administrators, known: { own } }) => administrators.length > 0 && !own,
      },
    ],
    async run({ server, first }, { userId }, { fields }) {
      const erase = fields.erase === true;
      // Another admin may have deactivated it in the meantime.
      const { isSo, admin } = await first(async () => {
        const user = await getUser(server, userId);
        return { isSo: Boolean(user.deactivated) && (!erase || Boolean(user.erased)), admin: user.admin };
      });
      const revokes = fields.revoke === true && Boolean(admin);
      if (!isSo) await deactivate(server, userId, erase);
      if (revokes) await setServerAdmin(server, userId, false);
      return { unchanged: isSo && !revokes, ...(erase && { detail: 'erased' }) };
    },
  }),
  action({
    ...ofUser,
    id: 'reactivate-user',
    role: 'lead',
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
        // Unless MAS has no password login.
        isShown: ({ offered }) => offered.has('ownAccounts') || offered.has('resetPassword'),
      },
    ],
    async run({ server }, { userId }, { fields }) {
      const password = fields.withPassword === true ? newPassword() : undefined;
      const { deactivated } = await getUser(server, userId);
      // If another admin reactivated the user in the meantime, their password stays.
      if (!deactivated) return { unchanged: true };
      await reactivate(server, userId, password);
      return password === undefined ? {} : { secret: password };
    },
  }),
  action({
    ...ofUser,
    id: 'erase-user',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Erase user} other {Erase # users}}',
    hint: /*i18n*/ 'Removes the profile; hides messages from new members',
    icon: IconEraser,
    needs: ['deactivate', 'accounts'],
    harms: true,
    resolvesReports: true,
    destructive: true,
    endsItem: true,
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

// Sessions and password.

export const credentials = [
  action({
    ...ofUser,
    id: 'end-sessions',
    role: 'moderator',
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
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Reset password} other {Reset # passwords}}',
    hint: /*i18n*/ 'Generates or sets a password',
    icon: IconKey,
    needs: ['resetPassword'],
    takesOver: true,
    shownOnce: true,
    harms: true,
    applies: ({ user }) => !user?.deactivated && user?.mas !== null,
    words: {
      will: /*i18n*/ 'Sets {count, plural, one {a new password for {name}} other {new passwords for # users}}. A generated one is shown once.',
      lost: /*i18n*/ 'The old password no longer works.',
      doing: /*i18n*/ '{count, plural, one {Resetting the password of {name}} other {Resetting # passwords}}',
      done: /*i18n*/ '{count, plural, one {Password of {name} reset} other {# passwords reset}}',
    },
    fields: [
      {
        kind: 'choice',
        name: 'password',
        label: /*i18n*/ 'Password',
        initial: 'generated',
        options: [
          { value: 'generated', label: /*i18n*/ 'Generate a password (shown once)' },
          { value: 'typed', label: /*i18n*/ 'Enter a password' },
        ],
      },
      {
        kind: 'line',
        name: 'typedPassword',
        label: /*i18n*/ 'New password',
        required: true,
        isShown: ({ fields }) => fields.password === 'typed',
      },
      { kind: 'flag', name: 'endSessions', label: /*i18n*/ 'Also sign out all devices', initial: true },
    ],
    async run({ server }, { userId }, { fields }) {
      // Servers accept a password even for deactivated accounts.
      if ((await getUser(server, userId)).deactivated) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'This account is deactivated. Reactivate the user to set a password.',
        );
      }
      const isTyped = fields.password === 'typed';
      const password = isTyped ? String(fields.typedPassword) : newPassword();
      await resetPassword(server, userId, { password, endSessions: fields.endSessions === true });
      return isTyped ? {} : { secret: password };
    },
  }),
];

// Single sessions.

export const sessions = [
  action<'device'>({
    id: 'end-device',
    role: 'moderator',
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

// For users who lost their encryption keys and can't reauthenticate.

export const crossSigning = action<'user'>({
  id: 'allow-cross-signing-reset',
  role: 'lead',
  label: /*i18n*/ 'Allow cross-signing reset',
  hint: /*i18n*/ 'Allows one passwordless reset for a few minutes',
  kind: 'user',
  group: 'user',
  icon: IconFingerprint,
  localOnly: true,
  oneOnly: true,
  needs: ['crossSigningReset'],
  takesOver: true,
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ 'Lets {name} replace their cross-signing keys once within minutes, without a password. Confirm they requested this. Some servers still ask for the password.',
    lost: /*i18n*/ "This can't be undone before it expires. Replaced keys are lost; others must verify again.",
    doing: /*i18n*/ 'Allowing cross-signing reset for {name}',
    done: /*i18n*/ 'Cross-signing reset allowed for {name}',
  },
  async run({ server }, { userId }) {
    const until = await allowCrossSigningReset(server, userId);
    return { until, detail: `until ${exactTime(until)}` };
  },
});

// Server admins.

const ofAdministrator = { kind: 'user', group: 'user', localOnly: true, needs: ['administrators'] } as const;

const sets = (admin: boolean) =>
  switched<ItemOf<'user'>>(admin, async (server, { userId }, on) => {
    if (on && (await getUser(server, userId)).deactivated) throw deactivated();
    return setServerAdmin(server, userId, on);
  });

const deactivated = () => new ConnectionFailure('refused', /*i18n*/ 'The account is deactivated.');

const made =
  /*i18n*/ '{count, plural, one {{name} is now a server admin} other {# users are now server admins}}';
const revoked = /*i18n*/ 'Server admin rights removed from {count, plural, one {{name}} other {# users}}';

export const rights = [
  action({
    ...ofAdministrator,
    id: 'make-administrator',
    role: 'lead',
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
    ...ofAdministrator,
    id: 'revoke-administrator',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Remove admin} other {Remove # admins}}',
    hint: /*i18n*/ 'Removes server admin rights',
    icon: IconShieldMinus,
    harms: true,
    isForAdmins: true,
    forecast: async ({ mas }) => ({
      sentences: mas ? [i18n.t('Sessions that already have admin access keep it until they end.')] : [],
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
