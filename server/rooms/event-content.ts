/** What the content of well-known events has to hold, beyond what the authorization rules ask. */
import type { JsonObject } from '../../shared/api/common.ts';
import { badJson, unknownError } from '../core/matrix-error.ts';
import { levelFault } from './power-level-rules.ts';

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
