/** Who has power in a room, read from its state. Matrix specification, "m.room.power_levels". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { object, text, texts } from './read-json.ts';

export type Holder = {
  userId: string;
  /** Creators stand above every number since room version 12. */
  level: number | 'creator';
};

export type Powers = {
  /** Who has more than is usual, the most powerful first. */
  holders: Holder[];
  usual: number;
  /** What it takes to remove messages of others, and to ban. */
  redact: number;
  ban: number;
};

export function powersOf(state: readonly JsonObject[]): Powers {
  const one = (type: string) => state.find((event) => event.type === type && event.state_key === '');
  const levels = object(one('m.room.power_levels')?.content) ?? {};
  const create = one('m.room.create');
  const creation = object(create?.content) ?? {};
  const usual = level(levels.users_default) ?? 0;

  const aboveAll = Number(creation.room_version) >= 12;
  const creators = aboveAll
    ? [text(create?.sender), ...texts(creation.additional_creators)].filter((id) => id !== undefined)
    : [];
  const given = Object.entries(object(levels.users) ?? {}).flatMap(([userId, value]): Holder[] => {
    const own = level(value);
    return own === undefined || own <= usual || creators.includes(userId) ? [] : [{ userId, level: own }];
  });
  return {
    holders: [
      ...creators.map((userId): Holder => ({ userId, level: 'creator' })),
      ...given.sort((a, b) => Number(b.level) - Number(a.level)),
    ],
    usual,
    redact: level(levels.redact) ?? 50,
    ban: level(levels.ban) ?? 50,
  };
}

/** Rooms of old versions hold numbers written as text. */
function level(value: unknown): number | undefined {
  const read = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}
