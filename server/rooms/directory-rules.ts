/** Whether the configured rules of the room directory let someone do something. */
import type { Config } from '../config/config.ts';
import type { DirectoryRule } from '../config/room-directory.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { matchesGlob } from '../core/patterns.ts';

type RulesConfig = Pick<Config, 'roomDirectory'>;

/**
 * Whether a user may list a room in the public directory. Interface: "Changes by release", v1.126.0:
 * administrators always may.
 */
export async function mayPublish(
  { roomDirectory }: RulesConfig,
  { userId, admin }: { userId: string; admin: boolean },
  { roomId, aliases }: { roomId: string; aliases: readonly string[] },
): Promise<boolean> {
  return admin || allows(roomDirectory.publicationRules, userId, roomId, aliases);
}

/**
 * Whether a user may give a room an alias.
 *
 * @throws MatrixError 403 where `alias_creation_rules` forbid it
 */
export async function requireMayCreateAlias(
  { roomDirectory }: RulesConfig,
  userId: string,
  alias: string,
  roomId: string,
): Promise<void> {
  if (await allows(roomDirectory.aliasCreationRules, userId, roomId, [alias])) return;
  throw new MatrixError(403, 'M_UNKNOWN', 'Not allowed to create alias');
}

/** The first rule that matches decides; without one nobody may. */
async function allows(
  rules: readonly DirectoryRule[],
  userId: string,
  roomId: string,
  aliases: readonly string[],
): Promise<boolean> {
  for (const rule of rules) {
    if (
      (await matchesGlob(rule.userId, userId)) &&
      (await matchesGlob(rule.roomId, roomId)) &&
      (rule.alias === '*' || (await matchesOne(rule.alias, aliases)))
    ) {
      return rule.action === 'allow';
    }
  }
  return false;
}

async function matchesOne(pattern: string, aliases: readonly string[]): Promise<boolean> {
  for (const alias of aliases) if (await matchesGlob(pattern, alias)) return true;
  return false;
}
