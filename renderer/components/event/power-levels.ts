/** Reads power levels from room state. Matrix specification, "m.room.power_levels". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { object, text, texts } from './read-json.ts';

export type PrivilegedMember = {
  userId: string;
  /** From room version 12 on, creators outrank any number. */
  level: number | 'creator';
};

export type PowerLevels = {
  /** Members above the default, highest first. */
  privileged: PrivilegedMember[];
  defaultLevel: number;
  /** Levels needed to redact others' messages and to ban. */
  redact: number;
  ban: number;
};

export function readPowerLevels(state: readonly JsonObject[]): PowerLevels {
  const stateEvent = (type: string) => state.find((event) => event.type === type && event.state_key === '');
  const levels = object(stateEvent('m.room.power_levels')?.content) ?? {};
  const create = stateEvent('m.room.create');
  const creation = object(create?.content) ?? {};
  const defaultLevel = level(levels.users_default) ?? 0;

  const creatorsOutrankAll = Number(creation.room_version) >= 12;
  const creators = creatorsOutrankAll
    ? [text(create?.sender), ...texts(creation.additional_creators)].filter((id) => id !== undefined)
    : [];
  const members = Object.entries(object(levels.users) ?? {}).flatMap(
    ([userId, value]): PrivilegedMember[] => {
      const own = level(value);
      return own === undefined || own <= defaultLevel || creators.includes(userId)
        ? []
        : [{ userId, level: own }];
    },
  );
  return {
    privileged: [
      ...creators.map((userId): PrivilegedMember => ({ userId, level: 'creator' })),
      ...members.sort((a, b) => Number(b.level) - Number(a.level)),
    ],
    defaultLevel,
    redact: level(levels.redact) ?? 50,
    ban: level(levels.ban) ?? 50,
  };
}

/** Old room versions allow numbers as strings. */
function level(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
