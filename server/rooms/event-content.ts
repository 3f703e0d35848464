/** What the content of well-known events has to hold, beyond what the authorization rules ask. */
import type { JsonObject } from '../../shared/api/common.ts';
import { badJson, MatrixError } from '../http/matrix-error.ts';
import { isUserId } from './identifiers.ts';
import { levelNames } from './power-levels.ts';

/** Types that only make sense as state: sent as messages they would mislead whoever reads them. */
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
  if (stateKey === undefined && stateTypes.has(type)) throw unknown(`'${type}' must be state events`);
  if (Object.hasOwn(requiredText, type)) {
    for (const name of requiredText[type] ?? []) {
      if (!Object.hasOwn(content, name)) throw unknown(`'${name}' not in content`);
      if (typeof content[name] !== 'string') throw unknown(`'${name}' not a string type`);
    }
  }
  if (type === 'm.room.member') requireMembership(content);
  if (type === 'm.room.power_levels') requireLevels(content);
}

function requireMembership({ membership }: JsonObject): void {
  if (typeof membership !== 'string') throw unknown('Invalid membership (must be a string)');
  if (!memberships.has(membership)) throw unknown('Invalid membership key');
}

function requireLevels(content: JsonObject): void {
  for (const name of levelNames) requireInteger(name, content[name]);
  for (const name of ['events', 'notifications', 'users']) {
    const map = content[name];
    if (map === undefined) continue;
    if (typeof map !== 'object' || map === null || Array.isArray(map)) {
      throw badJson(`'${name}' is not an object`);
    }
    for (const [key, level] of Object.entries(map)) {
      requireInteger(key, level);
      if (name === 'users' && !isUserId(key)) throw unknown(`Not a valid user_id: ${key}`);
    }
  }
}

function requireInteger(name: string, value: unknown): void {
  if (value !== undefined && !Number.isSafeInteger(value)) throw badJson(`'${name}' is not an integer`);
}

const unknown = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
