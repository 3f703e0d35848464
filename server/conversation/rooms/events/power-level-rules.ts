/** Changes of power levels. Matrix specification, room version 11, authorization rule 9. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { isUserId } from '../../../platform/core/identifiers.ts';
import { forbidden } from '../../../platform/core/matrix-error.ts';
import { levelNames } from './power-levels.ts';

/**
 * Requires that a user may change a room's levels: no change may involve a level above the user's own. A room's first
 * levels only have to be well-formed.
 *
 * @throws MatrixError 403
 */
export function authorizeLevels(
  sender: string,
  ownLevel: number,
  current: JsonObject | undefined,
  next: JsonObject,
): void {
  const fault = levelFault(next);
  if (fault) throw forbidden(fault);
  if (!current) return;
  for (const { name, user, before, after } of levelChanges(current, next)) {
    // Users with the same level can't demote each other, only themselves.
    const mayTake = user === undefined || user === sender ? ownLevel : ownLevel - 1;
    if (before !== undefined && before > mayTake) {
      throw forbidden(`You don't have permission to change ${name}, which is ${before}`);
    }
    if (after !== undefined && after > ownLevel) {
      throw forbidden("You don't have permission to add ops level greater than your own");
    }
  }
}

const maps = ['events', 'notifications', 'users'] as const;

/** Returns the malformed part; undefined if there is none. */
export function levelFault(content: JsonObject): string | undefined {
  for (const name of levelNames) {
    if (!isLevel(content[name])) return `'${name}' is not an integer`;
  }
  for (const name of maps) {
    const map = content[name];
    if (map === undefined) continue;
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return `'${name}' is not an object`;
    for (const [key, level] of Object.entries(map)) {
      if (!isLevel(level)) return `'${key}' of '${name}' is not an integer`;
      if (name === 'users' && !isUserId(key)) return `Not a valid user_id: ${key}`;
    }
  }
  return undefined;
}

const isLevel = (value: unknown) => value === undefined || Number.isSafeInteger(value);

type LevelChange = {
  name: string;
  /** Set for a user's level. */
  user?: string | undefined;
  before: number | undefined;
  after: number | undefined;
};

function levelChanges(current: JsonObject, next: JsonObject): LevelChange[] {
  const changes: LevelChange[] = levelNames.map((name) => ({
    name,
    before: current[name] as number | undefined,
    after: next[name] as number | undefined,
  }));
  for (const map of maps) {
    const before = new Map(Object.entries((current[map] ?? {}) as Record<string, number>));
    const after = new Map(Object.entries((next[map] ?? {}) as Record<string, number>));
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const user = map === 'users' ? key : undefined;
      changes.push({ name: `${map}.${key}`, user, before: before.get(key), after: after.get(key) });
    }
  }
  return changes.filter(({ before, after }) => before !== after);
}
