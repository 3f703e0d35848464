/** Checks of event content beyond the authorization rules. */
import { isIPv4 } from 'node:net';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { isRoomAlias } from '../../../platform/core/identifiers.ts';
import {
  badJson,
  forbidden,
  invalidParameter,
  MatrixError,
  notFound,
  unknownError,
} from '../../../platform/core/matrix-error.ts';
import { matchesGlob } from '../../../platform/core/patterns.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { findRoomByAlias } from '../directory/alias-store.ts';
import type { Relation } from '../relations/relation.ts';
import { hasAnnotation, isRelated } from '../relations/relation-store.ts';
import type { AuthState, ProposedEvent } from './authorize.ts';
import { findEvent, type StoredEvent } from './event-store.ts';
import { levelFault } from './power-level-rules.ts';
import { levelsOfRoom } from './power-levels.ts';

/** Sent as messages, they would mislead clients. */
const stateTypes = new Set([
  'm.room.avatar',
  'm.room.canonical_alias',
  'm.room.create',
  'm.room.encryption',
  'm.room.guest_access',
  'm.room.history_visibility',
  'm.room.join_rules',
  'm.room.member',
  'm.room.name',
  'm.room.power_levels',
  'm.room.server_acl',
  'm.room.third_party_invite',
  'm.room.tombstone',
  'm.room.topic',
]);

const requiredText: Readonly<Record<string, readonly string[]>> = {
  'm.room.message': ['body', 'msgtype'],
  'm.room.name': ['name'],
  'm.room.redaction': ['redacts'],
  'm.room.tombstone': ['replacement_room'],
  'm.room.topic': ['topic'],
};

const memberships = new Set(['join', 'invite', 'leave', 'ban', 'knock']);

/** @throws MatrixError 400 */
export function requireContent(type: string, stateKey: string | undefined, content: JsonObject): void {
  if (stateKey === undefined && stateTypes.has(type)) throw unknownError(`'${type}' must be state events`);
  if (Object.hasOwn(requiredText, type)) {
    for (const name of requiredText[type] ?? []) {
      if (!Object.hasOwn(content, name)) throw unknownError(`'${name}' not in content`);
      if (typeof content[name] !== 'string') throw unknownError(`'${name}' not a string type`);
    }
  }
  if (type === 'm.room.member') requireMembership(content);
  const fault = type === 'm.room.power_levels' ? levelFault(content) : undefined;
  if (fault) throw badJson(fault);
}

function requireMembership({ membership }: JsonObject): void {
  if (typeof membership !== 'string') throw unknownError('Invalid membership (must be a string)');
  if (!memberships.has(membership)) throw unknownError('Invalid membership key');
}

/** Each one is looked up. */
const maximumAliases = 100;

/**
 * Requires aliases of `m.room.canonical_alias` to point to the room.
 *
 * @param newAlias the alias that the room gets when it is created
 * @throws MatrixError 400
 */
export async function requireAliases(
  db: Database,
  { roomId, newAlias }: { roomId: string; newAlias?: string | undefined },
  { alias, alt_aliases }: JsonObject,
): Promise<void> {
  const aliases = [alias ?? [], alt_aliases ?? []].flat();
  if (aliases.length > maximumAliases) throw invalidParameter('Too many aliases');
  for (const each of aliases) {
    if (typeof each !== 'string' || !isRoomAlias(each)) {
      throw invalidParameter("Expected RoomAlias string to start with '#'");
    }
    if (each !== newAlias && (await findRoomByAlias(db, each)) !== roomId) {
      throw new MatrixError(400, 'M_BAD_ALIAS', `Room alias ${each} does not point to the room`);
    }
  }
}

/**
 * Refuses an ACL that denies this server: no local user could repair it. Client-server API, "Server Access Control Lists
 * (ACLs) for rooms".
 *
 * @throws MatrixError 400 `M_UNKNOWN`
 */
export function requireOwnServerAllowed(content: JsonObject, serverName: string): void {
  if (!isAllowed(content, serverName))
    throw unknownError("Can't create an ACL event that denies the local server");
}

/** Ignores malformed lists and entries, and ports. */
function isAllowed({ allow, deny, allow_ip_literals: literals }: JsonObject, serverName: string): boolean {
  const host = serverName.replace(/:\d+$/, '');
  if (literals === false && (host.startsWith('[') || isIPv4(host))) return false;
  return !matchesAny(deny, host) && matchesAny(allow, host);
}

const matchesAny = (patterns: unknown, host: string): boolean =>
  Array.isArray(patterns) &&
  patterns.some((pattern) => typeof pattern === 'string' && matchesGlob(pattern, host));

/**
 * Returns the event that a redaction is for. A user who may redact others' events may also redact an unknown one, which has
 * no effect. Client-server API, "Redactions".
 *
 * @throws MatrixError 403 or 404 if the sender may not redact it; 400 if it is in another room
 */
export async function requireRedactable(
  db: Database,
  roomId: string,
  { sender, content }: Pick<ProposedEvent, 'sender' | 'content'>,
  state: AuthState,
): Promise<StoredEvent | undefined> {
  const create = state('m.room.create', '');
  if (!create) throw forbidden('Unknown room');
  const levels = levelsOfRoom(create, state('m.room.power_levels', '')?.content);
  const mayRedactOthers = levels.ofUser(sender) >= levels.to('redact');

  const target = await findEvent(db, String(content.redacts));
  if (!target) {
    if (mayRedactOthers) return undefined;
    throw notFound(`Could not find event ${content.redacts}`);
  }
  if (target.pdu.room_id !== roomId) {
    throw new MatrixError(400, 'M_UNKNOWN', 'Cannot redact event from a different room');
  }
  if (target.pdu.type === 'm.room.create') throw forbidden('Redacting create events is not permitted');
  if (target.pdu.type === 'm.room.server_acl')
    throw forbidden('Redacting server ACL events is not permitted');
  if (!mayRedactOthers && target.pdu.sender !== sender) {
    throw forbidden("You don't have permission to redact events");
  }
  return target;
}

/** In characters. */
const maximumKey = 500;

/**
 * Call with the room locked: of two equal reactions, the second is refused.
 *
 * @throws MatrixError 400 for an unknown event, a thread in a thread, or a reaction that was sent already
 */
export async function requireRelation(
  db: Database,
  roomId: string,
  { type, sender }: { type: string; sender: string },
  { parentId, relType, key }: Relation,
): Promise<void> {
  const parent = await findEvent(db, parentId);
  if (!parent || parent.purged) throw unknown("Can't send relation to unknown event");
  if (parent.pdu.room_id !== roomId) throw unknown('Relations must be in the same room');
  if (relType === 'm.annotation') {
    if (key === null) throw unknown('Missing aggregation key');
    if (key.length > maximumKey) throw unknown('Aggregation key is too long');
    if (key.includes('\0')) throw unknown('Invalid aggregation key');
    if (await hasAnnotation(db, { parentId, type, sender, key })) {
      throw new MatrixError(400, 'M_DUPLICATE_ANNOTATION', "Can't send same reaction twice");
    }
  }
  if (relType === 'm.thread' && (await isRelated(db, parentId))) {
    throw unknown('Cannot start threads from an event with a relation');
  }
}

const unknown = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
