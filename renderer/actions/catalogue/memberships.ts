/** Actions on a user in one room. */
import { i18n } from '@lingui/core';
import { IconDoorEnter, IconDoorExit, IconUserCancel } from '@tabler/icons-react';
import { Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { leaveAfterwards, publicReason, takePower } from '../../../shared/team/action-inputs.ts';
import { restrictions } from '../../../shared/team/restrictions.ts';
import { changeMembership, getMembership } from '../../api/memberships.ts';
import { getRoom, getRoomState } from '../../api/room.ts';
import { type PrivilegedMember, readPowerLevels } from '../../components/event/power-levels.ts';
import { inSentence } from '../../components/text-hazards.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Forecast, type Work } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { isLocal } from '../items.ts';
import { withPowerLevel } from '../power.ts';
import { changedSince } from './changes.ts';

const Kept = Type.Object({ tookPower: Type.Boolean() });

const ofMember = { kind: 'member', group: 'user', publicReason: true } as const;

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
    const isBanned = async () => (await getMembership(server, item))?.membership === 'ban';
    const unchanged = change === 'ban' && (await first(isBanned));
    const { tookPower } = await withPowerLevel(work, item.roomId, answers, () =>
      changeMembership(server, change, item, reason),
    );
    return { detail: item.roomId, unchanged, undo: { tookPower } };
  };

export const memberships = [
  action<'member'>({
    ...ofMember,
    id: 'kick-member',
    role: 'moderator',
    label:
      /*i18n*/ 'Kick {users, plural, one {{count, plural, one {from room} other {from # rooms}}} other {# users}}',
    hint: /*i18n*/ 'Removes the user; they can rejoin',
    icon: IconDoorExit,
    needs: ['kick'],
    power: 'kick',
    harms: true,
    words: {
      will: /*i18n*/ 'Removes {users, plural, one {{count, plural, one {{name} from this room} other {{name} from # rooms}}} other {# users from the rooms where they were reported}}. They can rejoin if join rules allow.',
      doing: /*i18n*/ 'Kicking {users, plural, one {{name}} other {# users}}',
      done: /*i18n*/ 'Kicked {users, plural, one {{count, plural, one {{name}} other {{name} from # rooms}}} other {# users}}',
    },
    forecast: reachForecast,
    run: moves('kick'),
  }),
  action<'member'>({
    ...ofMember,
    ...restrictions['ban-member'],
    id: 'ban-member',
    role: 'moderator',
    label:
      /*i18n*/ 'Ban {users, plural, one {{count, plural, one {from room} other {from # rooms}}} other {# users from rooms}}',
    hint: /*i18n*/ 'Removes the user and prevents rejoining',
    icon: IconUserCancel,
    key: 'b',
    usual: true,
    needs: ['ban'],
    power: 'ban',
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Bans {users, plural, one {{count, plural, one {{name} from this room} other {{name} from # rooms}}} other {# users from the rooms where they were reported}}. Unbanned users must rejoin.',
      doing: /*i18n*/ 'Banning {users, plural, one {{name}} other {# users}}',
      done: banned,
      undone: unbanned,
    },
    forecast: reachForecast,
    run: moves('ban'),
    async undo(work, item, kept) {
      const { server } = work;
      const unban = async () => {
        const now = await getMembership(server, item);
        if (now && now.membership !== 'ban') return;
        if (now?.by !== undefined && now.by !== server.connection.userId) throw changedSince();
        await changeMembership(server, 'unban', item, undefined);
      };
      // The user may have left the room since, after becoming room admin only for this.
      const agreed = fits(Kept, kept) && kept.tookPower;
      await withPowerLevel(
        work,
        item.roomId,
        { fields: { [takePower]: agreed, [leaveAfterwards]: agreed } },
        unban,
      );
    },
  }),
  action<'member'>({
    ...ofMember,
    ...restrictions['unban-member'],
    id: 'unban-member',
    role: 'moderator',
    label:
      /*i18n*/ 'Unban {users, plural, one {{count, plural, one {from room} other {from # rooms}}} other {# users from rooms}}',
    hint: /*i18n*/ 'Lets the user rejoin',
    icon: IconDoorEnter,
    needs: ['unban'],
    power: 'ban',
    words: {
      will: /*i18n*/ 'Lets {users, plural, one {{name}} other {# users}} rejoin {count, plural, one {this room} other {the rooms}} if the join rules allow.',
      doing: /*i18n*/ 'Unbanning {users, plural, one {{name}} other {# users}}',
      done: unbanned,
    },
    run: moves('unban'),
  }),
];

/** Larger room states, memberships included, aren't loaded. */
const cheap = 1_000;

/** Users can't remove others with the same power level. Matrix specification, "Power levels". */
export async function reachForecast(
  server: Server,
  { userId, roomId }: ItemOf<'member'>,
  _: unknown,
  signal: AbortSignal,
): Promise<Forecast> {
  // If unknown, the action has to be tried.
  const outOfReach = await isOutOfReach(server, userId, roomId, signal).catch(() => false);
  if (!outOfReach) return { sentences: [] };
  return {
    sentences: [
      i18n.t("You can't outrank {name} in this room. Suspend the account or shut down the room instead.", {
        name: inSentence(userId),
      }),
    ],
    idle: true,
  };
}

async function isOutOfReach(server: Server, userId: string, roomId: string, signal: AbortSignal) {
  const { state_events: length } = await getRoom(server, roomId, signal);
  if (typeof length !== 'number' || length > cheap) return false;
  const { privileged, defaultLevel } = readPowerLevels(await getRoomState(server, roomId, signal));
  const levelOf = ({ level }: PrivilegedMember) => (level === 'creator' ? Number.POSITIVE_INFINITY : level);
  // `make_room_admin` grants the highest power level of any local user.
  const others = privileged.filter((holder) => holder.userId !== userId && isLocal(server, holder.userId));
  const theirs = privileged.find((holder) => holder.userId === userId);
  return theirs !== undefined && levelOf(theirs) >= Math.max(defaultLevel, ...others.map(levelOf));
}
