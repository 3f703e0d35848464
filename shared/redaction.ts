/**
 * Redacts events. Event IDs and signatures are of the redacted form, so this is needed to verify any event. Matrix
 * specification, room versions, "Redactions".
 */

import type { JsonObject } from './api/common.ts';
import { isObject } from './is-object.ts';

/** The supported room versions. */
export const roomVersions = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const;
export type RoomVersion = (typeof roomVersions)[number];

export const isRoomVersion = (version: string): version is RoomVersion =>
  (roomVersions as readonly string[]).includes(version);

type Rules = {
  /** Preserved top-level keys. */
  keys: readonly string[];
  /** Preserved keys of `content`, by event type; `'all'` for the whole content. */
  content: Readonly<Record<string, readonly string[] | 'all'>>;
  /** Preserves `content.third_party_invite.signed` of memberships. */
  keepsSignedInvite?: boolean;
};

const keysOfVersion11 = [
  'event_id',
  'type',
  'room_id',
  'sender',
  'state_key',
  'content',
  'hashes',
  'signatures',
  'depth',
  'prev_events',
  'auth_events',
  'origin_server_ts',
] as const;

const powerLevelKeys = [
  'ban',
  'events',
  'events_default',
  'kick',
  'redact',
  'state_default',
  'users',
  'users_default',
] as const;

// Each version has only the changes to the one before.
const version6: Rules = {
  keys: [...keysOfVersion11, 'prev_state', 'origin', 'membership'],
  content: {
    'm.room.member': ['membership'],
    'm.room.create': ['creator'],
    'm.room.join_rules': ['join_rule'],
    'm.room.power_levels': powerLevelKeys,
    'm.room.history_visibility': ['history_visibility'],
  },
};
const version1: Rules = { ...version6, content: { ...version6.content, 'm.room.aliases': ['aliases'] } };
const version8: Rules = {
  ...version6,
  content: { ...version6.content, 'm.room.join_rules': ['join_rule', 'allow'] },
};
const version9: Rules = {
  ...version8,
  content: { ...version8.content, 'm.room.member': ['membership', 'join_authorised_via_users_server'] },
};
const version11: Rules = {
  keys: keysOfVersion11,
  content: {
    ...version9.content,
    'm.room.create': 'all',
    'm.room.power_levels': [...powerLevelKeys, 'invite'],
    'm.room.redaction': ['redacts'],
  },
  keepsSignedInvite: true,
};

const rulesByVersion: Readonly<Record<RoomVersion, Rules>> = {
  '1': version1,
  '2': version1,
  '3': version1,
  '4': version1,
  '5': version1,
  '6': version6,
  '7': version6,
  '8': version8,
  '9': version9,
  '10': version9,
  '11': version11,
  '12': version11,
};

/**
 * Returns the redacted event as a new object, without `unsigned`, which servers add themselves.
 *
 * @returns undefined for an unknown room version
 */
export function redactEvent(event: JsonObject, roomVersion: RoomVersion): JsonObject;
export function redactEvent(event: JsonObject, roomVersion: string): JsonObject | undefined;
export function redactEvent(event: JsonObject, roomVersion: string): JsonObject | undefined {
  if (!isRoomVersion(roomVersion)) return undefined;
  const rules = rulesByVersion[roomVersion];
  const redacted = pick(event, rules.keys);
  redacted.content = redactContent(event, rules);
  return redacted;
}

function redactContent(event: JsonObject, rules: Rules): JsonObject {
  const content = isObject(event.content) ? event.content : {};
  const type = typeof event.type === 'string' ? event.type : '';
  const kept = Object.hasOwn(rules.content, type) ? rules.content[type] : undefined;
  if (kept === 'all') return content;
  const redacted = pick(content, kept ?? []);
  if (rules.keepsSignedInvite && type === 'm.room.member' && isObject(content.third_party_invite)) {
    const { signed } = content.third_party_invite;
    redacted.third_party_invite = signed === undefined ? {} : { signed };
  }
  return redacted;
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) if (Object.hasOwn(object, key)) picked[key] = object[key];
  return picked;
}
