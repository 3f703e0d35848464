/** Power levels. Client-server API, `m.room.power_levels`. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { findMembership } from '../membership/membership-store.ts';
import { creatorsOf, rulesOfRoom } from '../room-version.ts';
import { findState } from '../state/room-state-store.ts';

export const levelNames = [
  'users_default',
  'events_default',
  'state_default',
  'ban',
  'redact',
  'kick',
  'invite',
] as const;
type LevelName = (typeof levelNames)[number];

const defaults: Readonly<Record<LevelName, number>> = {
  users_default: 0,
  events_default: 0,
  state_default: 50,
  ban: 50,
  redact: 50,
  kick: 50,
  invite: 0,
};

export type PowerLevels = {
  ofUser(userId: string): number;
  toSend(type: string, isState: boolean): number;
  to(action: LevelName): number;
};

/** @param content of `m.room.power_levels`; undefined if the room has none */
export function levelsOfRoom(
  create: { sender: string; content: JsonObject },
  content: JsonObject | undefined,
): PowerLevels {
  const { hasPrivilegedCreators } = rulesOfRoom(create.content);
  return powerLevels(content, create.sender, new Set(hasPrivilegedCreators ? creatorsOf(create) : []));
}

/**
 * Reads the levels from the content of `m.room.power_levels`. Without it, the creator has level 100 and everyone may send
 * everything.
 *
 * @param privileged users with unlimited power
 */
export function powerLevels(
  content: JsonObject | undefined,
  creator: string,
  privileged: ReadonlySet<string> = new Set(),
): PowerLevels {
  const above = (userId: string) => (privileged.has(userId) ? Number.POSITIVE_INFINITY : undefined);
  if (!content) {
    return {
      ofUser: (userId) => above(userId) ?? (userId === creator ? 100 : 0),
      toSend: () => 0,
      to: (action) => (action === 'state_default' ? 0 : defaults[action]),
    };
  }
  const to = (action: LevelName) => integer(content[action]) ?? defaults[action];
  return {
    ofUser: (userId) => above(userId) ?? entry(content.users, userId) ?? to('users_default'),
    toSend: (type, isState) =>
      entry(content.events, type) ?? to(isState ? 'state_default' : 'events_default'),
    to,
  };
}

const integer = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined);

const entry = (map: unknown, key: string) =>
  typeof map === 'object' && map !== null && Object.hasOwn(map, key)
    ? integer((map as JsonObject)[key])
    : undefined;

type RoomPower = {
  creators: string[];
  /** Content of `m.room.power_levels`; undefined if the room has none. */
  content: JsonObject | undefined;
  levels: PowerLevels;
};

/** Returns the current power levels; undefined for an unknown room. */
export async function findPower(db: Database, roomId: string): Promise<RoomPower | undefined> {
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const create = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu;
  if (!create) return undefined;
  const content = state.find(({ pdu }) => pdu.type === 'm.room.power_levels')?.pdu.content;
  return { creators: creatorsOf(create), content, levels: levelsOfRoom(create, content) };
}

/** Returns the joined member with the highest level, if it is at least `needed`. */
export async function findPowerfulMember(
  db: Database,
  roomId: string,
  { creators, content, levels }: RoomPower,
  needed: number,
): Promise<string | undefined> {
  const named = [...new Set([...creators, ...Object.keys((content?.users ?? {}) as JsonObject)])];
  const powerful = named
    .filter((userId) => levels.ofUser(userId) >= needed)
    // Creators' levels are infinite: their difference is NaN.
    .toSorted((left, right) => levels.ofUser(right) - levels.ofUser(left) || 0);
  for (const userId of powerful) {
    if ((await findMembership(db, roomId, userId))?.membership === 'join') return userId;
  }
  return undefined;
}
