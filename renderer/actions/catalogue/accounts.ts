/** What is done to an account itself and to its sessions. */
import {
  IconEraser,
  IconGauge,
  IconGaugeOff,
  IconKey,
  IconLogout,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { ConnectionFailure } from '../../../shared/connection.ts';
import {
  deactivate,
  endSessions,
  overrideRateLimit,
  RateLimit,
  rateLimitOf,
  reactivate,
  removeRateLimit,
  resetPassword,
  setAdministrator,
  userNow,
} from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { changedSince } from '../changed-since.ts';
import { newPassword } from '../new-password.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const accounts = [
  action({
    ...ofUser,
    id: 'end-sessions',
    icon: IconLogout,
    needs: ['devices'],
    harms: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      hint: /*i18n*/ 'Signed out everywhere',
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
    applies: ({ user }) => !user?.deactivated,
    words: {
      hint: /*i18n*/ 'A new one, shown to you once',
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
      const password = newPassword();
      await resetPassword(server, userId, { password, endSessions: fields.endSessions === true });
      return { secret: password };
    },
  }),
  action({
    ...ofUser,
    id: 'override-rate-limit',
    icon: IconGauge,
    needs: ['rateLimit'],
    words: {
      hint: /*i18n*/ 'How often they may send',
      will: /*i18n*/ '{count, plural, one {{name} has a limit of their own on how often they send. 0 is without a limit.} other {# users have a limit of their own on how often they send. 0 is without a limit.}}',
      doing:
        /*i18n*/ '{count, plural, one {Changing the rate limit of {name}} other {Changing # rate limits}}',
      done: /*i18n*/ '{count, plural, one {{name} has a rate limit of their own} other {# users have rate limits of their own}}',
      undone:
        /*i18n*/ '{count, plural, one {{name} has the earlier rate limit again} other {# users have their earlier rate limits again}}',
    },
    fields: [
      {
        kind: 'number',
        name: 'perSecond',
        label: /*i18n*/ 'Messages per second',
        initial: 1,
        least: 0,
        most: 1_000_000,
      },
      {
        kind: 'number',
        name: 'burst',
        label: /*i18n*/ 'At once, before it counts',
        initial: 5,
        least: 0,
        most: 1_000_000,
      },
    ],
    async run({ server }, { userId }, { fields }) {
      const before = await rateLimitOf(server, userId);
      const [perSecond, burst] = [Number(fields.perSecond), Number(fields.burst)];
      await overrideRateLimit(server, userId, { perSecond, burst });
      const left = { messages_per_second: perSecond, burst_count: burst };
      return {
        undo: { before, left },
        unchanged: isSameLimit(before, left),
        detail: `${perSecond} per second, ${burst} at once`,
      };
    },
    undo: ({ server }, { userId }, before) => giveBack(server, userId, before),
  }),
  action({
    ...ofUser,
    id: 'remove-rate-limit',
    icon: IconGaugeOff,
    needs: ['rateLimit'],
    words: {
      hint: /*i18n*/ "The server's own limits hold again",
      will: /*i18n*/ "{count, plural, one {For {name} the server's own limits hold again.} other {For # users the server's own limits hold again.}}",
      doing:
        /*i18n*/ '{count, plural, one {Removing the rate limit of {name}} other {Removing # rate limits}}',
      done: /*i18n*/ "{count, plural, one {The server's own limits hold for {name}} other {The server's own limits hold for # users}}",
      undone:
        /*i18n*/ '{count, plural, one {{name} has the earlier rate limit again} other {# users have their earlier rate limits again}}',
    },
    async run({ server }, { userId }) {
      const before = await rateLimitOf(server, userId);
      await removeRateLimit(server, userId);
      return { undo: { before, left: {} }, unchanged: isSameLimit(before, {}) };
    },
    undo: ({ server }, { userId }, before) => giveBack(server, userId, before),
  }),
  action({
    ...ofUser,
    id: 'deactivate-user',
    icon: IconUserX,
    needs: ['deactivate'],
    harms: true,
    destructive: true,
    typed: true,
    applies: ({ user }) => !user?.deactivated,
    words: {
      hint: /*i18n*/ 'The account ends, and what belongs to it goes',
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
        note: /*i18n*/ 'The profile goes, and who joins later sees nothing of what they wrote.',
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
    async run({ server }, { userId }, { fields }) {
      const erase = fields.erase === true;
      await deactivate(server, userId, erase);
      if (fields.revoke === true) await setAdministrator(server, userId, false);
      return erase ? { detail: 'erased' } : {};
    },
  }),
  action({
    ...ofUser,
    id: 'reactivate-user',
    icon: IconUserCheck,
    usual: true,
    needs: ['users'],
    shownOnce: true,
    applies: ({ user }) => Boolean(user?.deactivated),
    words: {
      hint: /*i18n*/ 'They can sign in again',
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
    icon: IconEraser,
    needs: ['deactivate'],
    harms: true,
    destructive: true,
    applies: ({ user }) => Boolean(user?.deactivated) && !user?.erased,
    words: {
      hint: /*i18n*/ 'Their name, and what they wrote for those who come later',
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

/** The override that there was before, and the one that was left; none where there was none. */
const KeptLimits = Type.Object({ before: RateLimit, left: RateLimit });

const isSameLimit = (one: Static<typeof RateLimit>, other: Static<typeof RateLimit>) =>
  one.messages_per_second === other.messages_per_second && one.burst_count === other.burst_count;

async function giveBack(server: Server, userId: string, kept: unknown): Promise<void> {
  const { before, left } = Check(KeptLimits, kept) ? kept : { before: {}, left: undefined };
  if (left && !isSameLimit(await rateLimitOf(server, userId), left)) throw changedSince();
  const { messages_per_second: perSecond, burst_count: burst } = before;
  if (perSecond === undefined || burst === undefined) await removeRateLimit(server, userId);
  else await overrideRateLimit(server, userId, { perSecond, burst });
}
