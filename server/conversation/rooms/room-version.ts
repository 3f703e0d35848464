/** Differences between room versions, as far as they matter on a single server. Matrix specification, "Room Versions". */
import type { JsonObject } from '../../../shared/api/common.ts';
import { isRoomVersion, type RoomVersion } from '../../../shared/redaction.ts';

export type RoomRules = {
  version: RoomVersion;
  /** Encoding of the hash in event IDs. */
  eventIds: 'base64' | 'base64url';
  /** Whether each server lists its aliases in `m.room.aliases`. */
  hasServerAliases: boolean;
  hasKnocking: boolean;
  hasRestrictedJoins: boolean;
  /** Whether there is the join rule `knock_restricted`. */
  hasKnockRestricted: boolean;
  /** Whether `redacts` is in the content of redactions, and create events have no `creator`. */
  isTidy: boolean;
  /** Whether the room ID is the hash of the create event, and creators have unlimited power. */
  hasPrivilegedCreators: boolean;
};

export const supportedVersions = ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const;

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

/** Returns undefined for an unsupported version. */
export const rulesOf = (version: string): RoomRules | undefined => rules.get(version);

/** @param creation content of the create event; without a known version, the oldest supported one applies */
export function rulesOfRoom(creation: JsonObject): RoomRules {
  const { room_version: version } = creation;
  const found = typeof version === 'string' && isRoomVersion(version) ? rulesOf(version) : undefined;
  return found ?? (rules.get('3') as RoomRules);
}

/** Returns the sender of a create event, and from room version 12 also `additional_creators`. */
export function creatorsOf({ sender, content }: { sender: string; content: JsonObject }): string[] {
  const { additional_creators: others } = content;
  if (!rulesOfRoom(content).hasPrivilegedCreators || !Array.isArray(others)) return [sender];
  return [sender, ...others.filter((other) => typeof other === 'string')];
}
