/** Muting a user in one room by their power level. */
import { i18n } from '@lingui/core';
import { IconMessageOff, IconMessagePlus } from '@tabler/icons-react';
import { Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import { isMuted, type Levels, levelOf, withLevel, withMuted } from '../../../shared/team/power-levels.ts';
import { restrictions } from '../../../shared/team/restrictions.ts';
import { getLevels, putLevels } from '../../api/power-levels.ts';
import { inSentence } from '../../components/text-hazards.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Forecast } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { withPowerLevel } from '../power.ts';
import { reachForecast } from './memberships.ts';

const Kept = Type.Object({
  tookPower: Type.Boolean(),
  /** The user's own level before; null for the room's default. */
  level: Type.Union([Type.Null(), Type.Number(), Type.String()]),
});

const ofMember = { kind: 'member', group: 'user', power: 'mute', needs: [] } as const;

const muted =
  /*i18n*/ 'Muted {users, plural, one {{count, plural, one {{name}} other {{name} in # rooms}}} other {# users}}';
const unmuted =
  /*i18n*/ 'Unmuted {users, plural, one {{count, plural, one {{name}} other {{name} in # rooms}}} other {# users}}';

const ownLevel = ({ users = {} }: Levels, userId: string) => users[userId] ?? null;

export const mutes = [
  action<'member'>({
    ...ofMember,
    ...restrictions['mute-member'],
    id: 'mute-member',
    role: 'moderator',
    label:
      /*i18n*/ 'Mute {users, plural, one {{count, plural, one {in room} other {in # rooms}}} other {# users in rooms}}',
    hint: /*i18n*/ 'Prevents sending in the room',
    icon: IconMessageOff,
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Prevents {users, plural, one {{count, plural, one {{name} from sending in this room} other {{name} from sending in # rooms}}} other {# users from sending in the rooms where they were reported}}. Reading still works. Members see the change of the power level.',
      doing: /*i18n*/ 'Muting {users, plural, one {{name}} other {# users}}',
      done: muted,
      undone: unmuted,
    },
    forecast,
    async run(work, { roomId, userId }, answers) {
      const { server, first } = work;
      const { result, tookPower } = await withPowerLevel(work, roomId, answers, async () => {
        const levels = await getLevels(server, roomId);
        const before = await first(async () => ({
          level: ownLevel(levels, userId),
          isMuted: isMuted(levels, userId),
        }));
        if (!isMuted(levels, userId)) await putLevels(server, roomId, withMuted(levels, userId));
        return before;
      });
      return { detail: roomId, unchanged: result.isMuted, undo: { tookPower, level: result.level } };
    },
    async undo(work, { roomId, userId }, kept) {
      const { tookPower, level } = fits(Kept, kept) ? kept : { tookPower: false, level: null };
      const fields = { [takePower]: tookPower, [leaveAfterwards]: tookPower };
      await withPowerLevel(work, roomId, { fields }, async () => {
        const levels = await getLevels(work.server, roomId);
        // Another admin has changed it since.
        if (!isMuted(levels, userId)) return;
        await putLevels(work.server, roomId, withLevel(levels, userId, level ?? undefined));
      });
    },
  }),
  action<'member'>({
    ...ofMember,
    ...restrictions['unmute-member'],
    id: 'unmute-member',
    role: 'moderator',
    label:
      /*i18n*/ 'Unmute {users, plural, one {{count, plural, one {in room} other {in # rooms}}} other {# users in rooms}}',
    hint: /*i18n*/ 'Lets the user send in the room again',
    icon: IconMessagePlus,
    words: {
      will: /*i18n*/ "Gives {users, plural, one {{name}} other {# users}} the room's default power level again.",
      doing: /*i18n*/ 'Unmuting {users, plural, one {{name}} other {# users}}',
      done: unmuted,
    },
    async run(work, { roomId, userId }, answers) {
      const { server, first } = work;
      const { result: wasMuted } = await withPowerLevel(work, roomId, answers, async () => {
        const levels = await getLevels(server, roomId);
        const before = await first(async () => isMuted(levels, userId));
        if (isMuted(levels, userId)) await putLevels(server, roomId, withLevel(levels, userId, undefined));
        return before;
      });
      return { detail: roomId, unchanged: !wasMuted };
    },
  }),
];

/** Says if muting isn't possible, and which power level the user would lose. */
async function forecast(
  server: Server,
  item: ItemOf<'member'>,
  _: unknown,
  signal: AbortSignal,
): Promise<Forecast> {
  const reach = await reachForecast(server, item, _, signal);
  if (reach.idle) return reach;
  const levels = await getLevels(server, item.roomId, signal).catch(() => undefined);
  if (levels === undefined || levels.users?.[item.userId] === undefined) return reach;
  const sentence = i18n.t(
    "{name} has power level {level} here. A time limit or unmuting sets the room's default.",
    {
      name: inSentence(item.userId),
      level: levelOf(levels, item.userId),
    },
  );
  return { sentences: [sentence] };
}
