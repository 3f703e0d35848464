import type { JsonObject } from '../../shared/api/common.ts';
import { isRoomAlias } from '../core/identifiers.ts';
import { invalidParameter, MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { findRoomByAlias } from './alias-store.ts';

/** How many aliases a room may call itself by: each one is looked up. */
const maximumAliases = 100;

/**
 * Checks the content of `m.room.canonical_alias`: a room may only call itself what leads to it, or will once
 * the room is made (`newAlias`).
 *
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
