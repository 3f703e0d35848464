/** Whether the configured rules of the room directory let someone do something. */

import { findUser } from '../accounts/user-store.ts';
import type { Config } from '../config/config.ts';
import type { DirectoryRule } from '../config/room-directory.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';

type RulesConfig = Pick<Config, 'roomDirectory'>;

/**
 * Whether a user may list a room in the public directory. Interface: "Changes by release", v1.126.0:
 * administrators always may.
 */
export async function mayPublish(
  db: Database,
  { roomDirectory }: RulesConfig,
  userId: string,
  room: { roomId: string; aliases: readonly string[] },
): Promise<boolean> {
  if (allows(roomDirectory.publicationRules, userId, room.roomId, room.aliases)) return true;
  return (await findUser(db, userId))?.admin ?? false;
}

/** Whether a user may give a room an alias. */
const mayCreateAlias = (
  { roomDirectory }: RulesConfig,
  userId: string,
  alias: string,
  roomId: string,
): boolean => allows(roomDirectory.aliasCreationRules, userId, roomId, [alias]);

/** @throws MatrixError 403 where `alias_creation_rules` forbid it */
export function requireMayCreateAlias(
  config: RulesConfig,
  userId: string,
  alias: string,
  roomId: string,
): void {
  if (!mayCreateAlias(config, userId, alias, roomId)) {
    throw new MatrixError(403, 'M_UNKNOWN', 'Not allowed to create alias');
  }
}

/** The first rule that matches decides; without one nobody may. */
function allows(
  rules: readonly DirectoryRule[],
  userId: string,
  roomId: string,
  aliases: readonly string[],
): boolean {
  const rule = rules.find(
    (candidate) =>
      matches(candidate.userId, userId) &&
      matches(candidate.roomId, roomId) &&
      (candidate.alias === '*' || aliases.some((alias) => matches(candidate.alias, alias))),
  );
  return rule?.action === 'allow';
}

function matches(pattern: string, text: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 'isu').test(text);
}
