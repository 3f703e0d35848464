/** What the versions of rooms differ in, as far as it matters on one server. Matrix specification, "Room Versions". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { isRoomVersion, type RoomVersion } from '../../../shared/redaction.ts';

export type RoomRules = {
  version: RoomVersion;
  /** How the hash is written that an event is called by. */
  eventIds: 'base64' | 'base64url';
  /** Whether servers name their aliases in state of their own (`m.room.aliases`). */
  hasServerAliases: boolean;
  hasKnocking: boolean;
  hasRestrictedJoins: boolean;
  /** Whether who may not join without more may knock. */
  hasKnockRestricted: boolean;
  /** Whether a redaction names its event in its content, and the creation leaves its sender out of its own. */
  isTidy: boolean;
  /** Whether a room is called by the hash of its creation, and its creators may do more than any level gives. */
  hasPrivilegedCreators: boolean;
};

/** The versions in which rooms can be made and used. */
export const supportedVersions = ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const;

/** The version of a room whose maker asks for none. */
export const defaultVersion = '11' satisfies RoomVersion;

const rules = new Map(
  supportedVersions.map((version): [string, RoomRules] => {
    const number = Number(version);
    return [
      version,
      {
        version,
        eventIds: number >= 4 ? 'base64url' : 'base64',
        hasServerAliases: number <= 5,
        hasKnocking: number >= 7,
        hasRestrictedJoins: number >= 8,
        hasKnockRestricted: number >= 10,
        isTidy: number >= 11,
        hasPrivilegedCreators: number >= 12,
      },
    ];
  }),
);

/** The rules of a version; undefined for one that is not supported. */
export const rulesOf = (version: string): RoomRules | undefined => rules.get(version);

/** The rules of the room with this creation. What says nothing of it is of the oldest kind that is known here. */
export function rulesOfRoom(creation: JsonObject): RoomRules {
  const { room_version: version } = creation;
  const found = typeof version === 'string' && isRoomVersion(version) ? rulesOf(version) : undefined;
  return found ?? (rules.get('3') as RoomRules);
}

/** Those who made a room: more than one only where they have privileges. */
export function creatorsOf({ sender, content }: { sender: string; content: JsonObject }): string[] {
  const { additional_creators: others } = content;
  if (!rulesOfRoom(content).hasPrivilegedCreators || !Array.isArray(others)) return [sender];
  return [sender, ...others.filter((other) => typeof other === 'string')];
}
