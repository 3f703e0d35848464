/** Reversible restrictions of a user. */
import {
  IconGhost2,
  IconGhostOff,
  IconLock,
  IconLockOpen,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { restrictions as restrictionById } from '../../../shared/team/restrictions.ts';
import { setLocked, setShadowBanned, setSuspended } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { switched } from './changes.ts';

type Change = (server: Server, userId: string, on: boolean) => Promise<boolean | undefined>;

const sets = (change: Change, on: boolean) =>
  switched<ItemOf<'user'>>(on, (server, { userId }, to) => change(server, userId, to));

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

const suspended = {
  done: /*i18n*/ '{count, plural, one {{name}} other {# users}} suspended',
  lifted: /*i18n*/ '{count, plural, one {{name}} other {# users}} unsuspended',
};
const locked = {
  done: /*i18n*/ '{count, plural, one {{name}} other {# users}} locked',
  lifted: /*i18n*/ '{count, plural, one {{name}} other {# users}} unlocked',
};
const shadowBanned = {
  done: /*i18n*/ '{count, plural, one {{name}} other {# users}} shadow-banned',
  lifted: /*i18n*/ '{count, plural, one {Shadow-ban of {name}} other {# shadow-bans}} removed',
};

export const restrictions = [
  action({
    ...ofUser,
    ...restrictionById['suspend-user'],
    id: 'suspend-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Suspend user} other {Suspend # users}}',
    hint: /*i18n*/ 'Allows reading but not sending',
    icon: IconPlayerPause,
    key: 's',
    usual: true,
    needs: ['suspend'],
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Prevents {count, plural, one {{name}} other {# users}} from sending, joining and inviting until unsuspended. Sign-in and reading still work.',
      doing: /*i18n*/ 'Suspending {count, plural, one {{name}} other {# users}}',
      done: suspended.done,
      undone: suspended.lifted,
    },
    ...sets(setSuspended, true),
  }),
  action({
    ...ofUser,
    ...restrictionById['unsuspend-user'],
    id: 'unsuspend-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Unsuspend user} other {Unsuspend # users}}',
    hint: /*i18n*/ 'Lets the user send again',
    icon: IconPlayerPlay,
    key: 's',
    usual: true,
    needs: ['suspend'],
    words: {
      will: /*i18n*/ 'Lets {count, plural, one {{name}} other {# users}} send, join and invite again.',
      doing: /*i18n*/ 'Unsuspending {count, plural, one {{name}} other {# users}}',
      done: suspended.lifted,
      undone: suspended.done,
    },
    ...sets(setSuspended, false),
  }),
  action({
    ...ofUser,
    ...restrictionById['lock-user'],
    id: 'lock-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Lock user} other {Lock # users}}',
    hint: /*i18n*/ 'Blocks all access until unlocked',
    icon: IconLock,
    key: 'l',
    needs: ['users', 'accounts'],
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Blocks {count, plural, one {{name}} other {# users}} in every session until unlocked.',
      doing: /*i18n*/ 'Locking {count, plural, one {{name}} other {# users}}',
      done: locked.done,
      undone: locked.lifted,
    },
    ...sets(setLocked, true),
  }),
  action({
    ...ofUser,
    ...restrictionById['unlock-user'],
    id: 'unlock-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Unlock user} other {Unlock # users}}',
    hint: /*i18n*/ 'Restores access to the account',
    icon: IconLockOpen,
    key: 'l',
    needs: ['users', 'accounts'],
    words: {
      will: /*i18n*/ 'Lets the sessions of {count, plural, one {{name}} other {# users}} work again.',
      doing: /*i18n*/ 'Unlocking {count, plural, one {{name}} other {# users}}',
      done: locked.lifted,
      undone: locked.done,
    },
    ...sets(setLocked, false),
  }),
  action({
    ...ofUser,
    ...restrictionById['shadow-ban-user'],
    id: 'shadow-ban-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Shadow-ban user} other {Shadow-ban # users}}',
    hint: /*i18n*/ "Silently hides the user's messages",
    icon: IconGhost2,
    needs: ['shadowBan'],
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Silently hides messages of {count, plural, one {{name}} other {# users}}. Users may notice. Suspending is usually better.',
      doing: /*i18n*/ 'Shadow-banning {count, plural, one {{name}} other {# users}}',
      done: shadowBanned.done,
      undone: shadowBanned.lifted,
    },
    ...sets(setShadowBanned, true),
  }),
  action({
    ...ofUser,
    ...restrictionById['unshadow-ban-user'],
    id: 'unshadow-ban-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Remove shadow-ban} other {Remove # shadow-bans}}',
    hint: /*i18n*/ "Delivers the user's messages again",
    icon: IconGhostOff,
    needs: ['shadowBan'],
    words: {
      will: /*i18n*/ 'Delivers messages of {count, plural, one {{name}} other {# users}} again. Messages sent while shadow-banned are lost.',
      doing: /*i18n*/ 'Removing {count, plural, one {the shadow-ban of {name}} other {# shadow-bans}}',
      done: shadowBanned.lifted,
      undone: shadowBanned.done,
    },
    ...sets(setShadowBanned, false),
  }),
];
