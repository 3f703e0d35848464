/** Power levels of a room, and muting by them. Matrix specification, "m.room.power_levels". */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import type { ApiRequest } from './restrictions.ts';

/** Rooms of early versions have numbers as strings. */
const Level = Type.Union([Type.Number(), Type.String()]);
export const Levels = Type.Object(
  {
    users: Type.Optional(Dictionary(Level)),
    users_default: Type.Optional(Level),
    events: Type.Optional(Dictionary(Level)),
    events_default: Type.Optional(Level),
    state_default: Type.Optional(Level),
    ban: Type.Optional(Level),
  },
  { additionalProperties: true },
);
export type Levels = Static<typeof Levels>;

export const levelsPath = (roomId: string) =>
  `/client/v3/rooms/${encodeURIComponent(roomId)}/state/m.room.power_levels`;

export const levelsRequest = (roomId: string, levels: Levels): ApiRequest => ({
  api: 'chat',
  method: 'PUT',
  path: levelsPath(roomId),
  body: { shape: Levels, value: levels },
});

const numberOf = (level: number | string | undefined): number => Number(level ?? 0) || 0;

const needed = ({ events_default: level }: Levels) => numberOf(level);

export const levelOf = ({ users = {}, users_default }: Levels, userId: string): number =>
  numberOf(users[userId] ?? users_default);

/** Whether a user's power level is too low to send messages. */
export const isMuted = (levels: Levels, userId: string): boolean => levelOf(levels, userId) < needed(levels);

/** Returns the power levels with which a user can send nothing: −1, or less if some events need less. */
export function withMuted(levels: Levels, userId: string): Levels {
  const all = [needed(levels), ...Object.values(levels.events ?? {}).map(numberOf)];
  return { ...levels, users: { ...levels.users, [userId]: Math.min(0, ...all) - 1 } };
}

/** Restores a user's own level; without one, the room's default applies. */
export function withLevel(levels: Levels, userId: string, level: number | string | undefined): Levels {
  const { [userId]: _, ...others } = levels.users ?? {};
  return { ...levels, users: { ...others, ...(level !== undefined && { [userId]: level }) } };
}

/** Whether a user has the level for bans or for changes of power levels. */
export function mayChange(levels: Levels, userId: string, what: 'bans' | 'levels'): boolean {
  const { ban, state_default: usual = 50, events = {} } = levels;
  const needed = what === 'bans' ? (ban ?? 50) : (events['m.room.power_levels'] ?? usual);
  return levelOf(levels, userId) >= numberOf(needed);
}
