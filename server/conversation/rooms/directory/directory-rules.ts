/** Whether the configured rules of the room directory let someone do something. */
import type { Config } from '../../../platform/config/config.ts';
import type { DirectoryRule } from '../../../platform/config/directory.ts';
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import { matchesGlob } from '../../../platform/core/patterns.ts';

type RulesConfig = Pick<Config, 'roomDirectory'>;

/**
 * Whether a user may list a room in the public directory. Interface: "Changes by release", v1.126.0:
 * administrators always may.
 */
export function mayPublish(
  { roomDirectory }: RulesConfig,
  { userId, admin }: { userId: string; admin: boolean },
  { roomId, aliases }: { roomId: string; aliases: readonly string[] },
): boolean {
  return admin || allows(roomDirectory.publicationRules, userId, roomId, aliases);
}

/**
 * Whether a user may give a room an alias.
 *
 * @throws MatrixError 403 where `alias_creation_rules` forbid it
 */
export function requireMayCreateAlias(
  { roomDirectory }: RulesConfig,
  userId: string,
  alias: string,
  roomId: string,
): void {
  if (allows(roomDirectory.aliasCreationRules, userId, roomId, [alias])) return;
  throw new MatrixError(403, 'M_UNKNOWN', 'Not allowed to create alias');
}

/** The first rule that matches decides; without one nobody may. */
function allows(
  rules: readonly DirectoryRule[],
  userId: string,
  roomId: string,
  aliases: readonly string[],
): boolean {
  const first = rules.find(
    (rule) =>
      matchesGlob(rule.userId, userId) &&
      matchesGlob(rule.roomId, roomId) &&
      (rule.alias === '*' || aliases.some((alias) => matchesGlob(rule.alias, alias))),
  );
  return first?.action === 'allow';
}
