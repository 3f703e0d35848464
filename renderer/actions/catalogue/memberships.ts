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
  /*i18n*/ 'Banned {users, plural, one {{count, plural, one {{name}} other {{name} from # rooms}}} other {# users}}';
const unbanned = /*i18n*/ 'Unbanned {users, plural, one {{name}} other {# users}}; rejoining possible';

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
      will: /*i18n*/ 'Removes {users, plural, one {{count, plural, one {{name} from this room} other {{name} from # rooms}}} other {# users from the rooms where they were reported}}. They can rejoin if join rules allow.',
      doing: /*i18n*/ 'Kicking {users, plural, one {{name}} other {# users}}',
      done: /*i18n*/ 'Kicked {users, plural, one {{count, plural, one {{name}} other {{name} from # rooms}}} other {# users}}',
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
      will: /*i18n*/ 'Bans {users, plural, one {{count, plural, one {{name} from this room} other {{name} from # rooms}}} other {# users from the rooms where they were reported}}. Unbanned users must rejoin.',
      doing: /*i18n*/ 'Banning {users, plural, one {{name}} other {# users}}',
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
      will: /*i18n*/ 'Lets {users, plural, one {{name}} other {# users}} rejoin {count, plural, one {this room} other {the rooms}} if the join rules allow.',
      doing: /*i18n*/ 'Unbanning {users, plural, one {{name}} other {# users}}',
      done: unbanned,
    },
    run: moves('unban'),
  }),
];
