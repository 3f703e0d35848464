/** What keeps a user from doing things until it is lifted. */
import {
  IconGhost2,
  IconGhostOff,
  IconLock,
  IconLockOpen,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { setLocked, setShadowBanned, setSuspended } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { switched } from './switched.ts';

type Change = (server: Server, userId: string, on: boolean) => Promise<boolean | undefined>;

const sets = (change: Change, on: boolean) =>
  switched<{ userId: string }>(on, (server, { userId }, to) => change(server, userId, to));

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

const suspended = {
  done: /*i18n*/ '{count, plural, one {{name} is suspended} other {# users are suspended}}',
  lifted:
    /*i18n*/ '{count, plural, one {{name} is no longer suspended} other {# users are no longer suspended}}',
};
const locked = {
  done: /*i18n*/ '{count, plural, one {{name} is locked} other {# users are locked}}',
  lifted: /*i18n*/ '{count, plural, one {{name} is no longer locked} other {# users are no longer locked}}',
};
const shadowBanned = {
  done: /*i18n*/ '{count, plural, one {{name} is shadow-banned} other {# users are shadow-banned}}',
  lifted:
    /*i18n*/ '{count, plural, one {{name} is no longer shadow-banned} other {# users are no longer shadow-banned}}',
};

export const restrictions = [
  action({
    ...ofUser,
    id: 'suspend-user',
    icon: IconPlayerPause,
    key: 's',
    usual: true,
    needs: ['suspend'],
    harms: true,
    settles: true,
    applies: ({ user }) => user?.suspended !== true && !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can still read and sign in, but sends, joins and invites nothing, until you lift it.} other {# users can still read and sign in, but send, join and invite nothing, until you lift it.}}',
      doing: /*i18n*/ '{count, plural, one {Suspending {name}} other {Suspending # users}}',
      done: suspended.done,
      undone: suspended.lifted,
    },
    ...sets(setSuspended, true),
  }),
  action({
    ...ofUser,
    id: 'unsuspend-user',
    icon: IconPlayerPlay,
    key: 's',
    usual: true,
    needs: ['suspend'],
    applies: ({ user }) => user?.suspended !== false,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can send, join and invite again.} other {# users can send, join and invite again.}}',
      doing: /*i18n*/ '{count, plural, one {Lifting the suspension of {name}} other {Lifting # suspensions}}',
      done: suspended.lifted,
      undone: suspended.done,
    },
    ...sets(setSuspended, false),
  }),
  action({
    ...ofUser,
    id: 'lock-user',
    icon: IconLock,
    key: 'l',
    needs: ['users', 'accounts'],
    harms: true,
    settles: true,
    applies: ({ user }) => user?.locked !== true && !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} is kept out in every session, until you unlock the account.} other {# users are kept out in every session, until you unlock their accounts.}}',
      doing: /*i18n*/ '{count, plural, one {Locking {name}} other {Locking # users}}',
      done: locked.done,
      undone: locked.lifted,
    },
    ...sets(setLocked, true),
  }),
  action({
    ...ofUser,
    id: 'unlock-user',
    icon: IconLockOpen,
    key: 'l',
    needs: ['users', 'accounts'],
    applies: ({ user }) => user?.locked !== false,
    words: {
      will: /*i18n*/ '{count, plural, one {The sessions of {name} work again.} other {The sessions of # users work again.}}',
      doing: /*i18n*/ '{count, plural, one {Unlocking {name}} other {Unlocking # users}}',
      done: locked.lifted,
      undone: locked.done,
    },
    ...sets(setLocked, false),
  }),
  action({
    ...ofUser,
    id: 'shadow-ban-user',
    icon: IconGhost2,
    needs: ['shadowBan'],
    harms: true,
    settles: true,
    applies: ({ user }) => !user?.shadow_banned && !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {What {name} sends seems to arrive, and nobody gets it. They are not told, and not everything can be hidden from them: suspending is the better way for most.} other {What # users send seems to arrive, and nobody gets it. They are not told, and not everything can be hidden from them: suspending is the better way for most.}}',
      doing: /*i18n*/ '{count, plural, one {Shadow-banning {name}} other {Shadow-banning # users}}',
      done: shadowBanned.done,
      undone: shadowBanned.lifted,
    },
    ...sets(setShadowBanned, true),
  }),
  action({
    ...ofUser,
    id: 'unshadow-ban-user',
    icon: IconGhostOff,
    needs: ['shadowBan'],
    applies: ({ user }) => user === undefined || Boolean(user.shadow_banned),
    words: {
      will: /*i18n*/ '{count, plural, one {What {name} sends arrives again. What was sent meanwhile is lost.} other {What # users send arrives again. What was sent meanwhile is lost.}}',
      doing: /*i18n*/ '{count, plural, one {Lifting the shadow-ban of {name}} other {Lifting # shadow-bans}}',
      done: shadowBanned.lifted,
      undone: shadowBanned.done,
    },
    ...sets(setShadowBanned, false),
  }),
];
