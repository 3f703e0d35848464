/** What is done to a user in one room. */
import { IconDoorEnter, IconDoorExit, IconUserCancel } from '@tabler/icons-react';
import { Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { changeMembership, membershipNow } from '../../api/memberships.ts';
import { type Action, action, type Work } from '../action.ts';
import { changedSince } from '../changed-since.ts';
import { leaveAfterwards, takePower, withPower } from '../power.ts';
import { publicReason } from '../public-reason.ts';

const Kept = Type.Object({ tookPower: Type.Boolean() });

const ofMember = { kind: 'member', group: 'user', publicReason: true } as const;

const foresee: Action<'member'>['foresee'] = async (...asked) =>
  (await import('./out-of-reach-foreseen.ts')).foreseen(...asked);

const banned =
  /*i18n*/ '{users, plural, one {{count, plural, one {{name} is banned from the room} other {{name} is banned from # rooms}}} other {# users are banned}}';
const unbanned =
  /*i18n*/ '{users, plural, one {{count, plural, one {{name} is no longer banned from the room, and is not in it until they join again} other {{name} is no longer banned from # rooms, and is not in them until they join again}}} other {# users are no longer banned, and are not in their rooms until they join again}}';

const moves = (change: 'kick' | 'ban' | 'unban') =>
  async function run(
    work: Work,
    item: { userId: string; roomId: string },
    answers: Parameters<typeof publicReason>[0],
  ) {
    const { server, first } = work;
    const reason = publicReason(answers);
    const isBanned = async () => (await membershipNow(server, item))?.membership === 'ban';
    const unchanged = change === 'ban' && (await first(isBanned));
    const { tookPower } = await withPower(work, item.roomId, answers, () =>
      changeMembership(server, change, item, reason),
    );
    return { detail: item.roomId, unchanged, undo: { tookPower } };
  };

export const memberships = [
  action<'member'>({
    ...ofMember,
    id: 'kick-member',
    icon: IconDoorExit,
    needs: ['kick'],
    power: 'kick',
    harms: true,
    words: {
      will: /*i18n*/ '{users, plural, one {{count, plural, one {{name} is put out of this room and can join again where the room lets them.} other {{name} is put out of # rooms and can join again where these let them.}}} other {# users are put out of the rooms where they were reported, and can join again where the room lets them.}}',
      doing: /*i18n*/ '{users, plural, one {Kicking {name}} other {Kicking # users}}',
      done: /*i18n*/ '{users, plural, one {{count, plural, one {{name} is out of the room} other {{name} is out of # rooms}}} other {# users are out of their rooms}}',
    },
    foresee,
    run: moves('kick'),
  }),
  action<'member'>({
    ...ofMember,
    id: 'ban-member',
    icon: IconUserCancel,
    key: 'b',
    usual: true,
    needs: ['ban'],
    power: 'ban',
    harms: true,
    settles: true,
    applies: ({ membership }) => membership !== 'ban',
    words: {
      will: /*i18n*/ '{users, plural, one {{count, plural, one {{name} is put out of this room and kept out, until you lift the ban. Lifting it does not bring them back: they have to join again.} other {{name} is put out of # rooms and kept out, until you lift the bans. Lifting them does not bring them back: they have to join again.}}} other {# users are put out of the rooms where they were reported and kept out, until you lift the bans. Lifting them does not bring them back: they have to join again.}}',
      doing: /*i18n*/ '{users, plural, one {Banning {name}} other {Banning # users}}',
      done: banned,
      undone: unbanned,
    },
    foresee,
    run: moves('ban'),
    async undo(work, item, kept) {
      const { server } = work;
      const unban = async () => {
        const now = await membershipNow(server, item);
        if (now && now.membership !== 'ban') return;
        if (now?.by !== undefined && now.by !== server.connection.userId) throw changedSince();
        await changeMembership(server, 'unban', item, undefined);
      };
      // They have left the room since, perhaps, and agreed to be its admin for this.
      const agreed = fits(Kept, kept) && kept.tookPower;
      await withPower(
        work,
        item.roomId,
        { fields: { [takePower]: agreed, [leaveAfterwards]: agreed } },
        unban,
      );
    },
  }),
  action<'member'>({
    ...ofMember,
    id: 'unban-member',
    icon: IconDoorEnter,
    needs: ['unban'],
    power: 'ban',
    applies: ({ membership }) => membership === undefined || membership === 'ban',
    words: {
      will: /*i18n*/ '{users, plural, one {{count, plural, one {{name} can join this room again, as its rules have it.} other {{name} can join # rooms again, as their rules have it.}}} other {# users can join their rooms again, as the rooms’ rules have it.}}',
      doing: /*i18n*/ '{count, plural, one {Lifting the ban of {name}} other {Lifting # bans}}',
      done: unbanned,
    },
    run: moves('unban'),
  }),
];
