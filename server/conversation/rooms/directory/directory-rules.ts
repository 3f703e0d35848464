/** Configured rules for aliases and the room directory. */
import type { Config } from '../../../platform/config/config.ts';
import type { DirectoryRule } from '../../../platform/config/directory.ts';
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import { matchesGlob } from '../../../platform/core/patterns.ts';

type RulesConfig = Pick<Config, 'roomDirectory'>;

/** Whether `room_list_publication_rules` allow publishing a room. Server admins always may. */
export function mayPublish(
  { roomDirectory }: RulesConfig,
  { userId, admin }: { userId: string; admin: boolean },
  { roomId, aliases }: { roomId: string; aliases: readonly string[] },
): boolean {
  return admin || allows(roomDirectory.publicationRules, userId, roomId, aliases);
}

/** @throws MatrixError 403 if `alias_creation_rules` forbid it */
export function requireMayCreateAlias(
  { roomDirectory }: RulesConfig,
  userId: string,
  alias: string,
  roomId: string,
): void {
  if (allows(roomDirectory.aliasCreationRules, userId, roomId, [alias])) return;
  throw new MatrixError(403, 'M_UNKNOWN', 'Not allowed to create alias');
}

/** The first matching rule decides; without one, the answer is no. */
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
