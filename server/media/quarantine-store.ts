/** Media that are kept away from users, and those that can't be. */
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { lockUntilCommit } from '../database/lock-until-commit.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

type Condition = (eb: ExpressionBuilder<Schema, 'media'>) => ExpressionWrapper<Schema, 'media', SqlBool>;

/** Some media to quarantine: one by its identifier, or all of a user, or all that a room's events name. */
export type MediaSelection =
  | { mediaId: string }
  | { userId: string }
  | { roomId: string; serverName: string };

/**
 * Quarantines media and whatever has the same content, except what is protected and what is quarantined
 * already.
 *
 * @returns how many were quarantined
 */
export async function quarantineMedia(
  tx: Tx,
  selection: MediaSelection,
  quarantinedBy: string,
): Promise<number> {
  await lockUntilCommit(tx, 'quarantinedContent');
  const contents = tx
    .selectFrom('media')
    .select('sha256')
    .where(matching(selection))
    .where('sha256', 'is not', null)
    .where('safe_from_quarantine', '=', 0);
  const rows = await tx
    .updateTable('media')
    .set({ quarantined_by: quarantinedBy })
    .where((eb) => eb.or([matching(selection)(eb), eb('sha256', 'in', contents)]))
    .where('quarantined_by', 'is', null)
    .where('safe_from_quarantine', '=', 0)
    .returning('media_id')
    .execute();
  await recordChanges(tx, rows, true);
  return rows.length;
}

/** Gives media back to users, with whatever has the same content. */
export async function releaseMedia(tx: Tx, mediaId: string): Promise<void> {
  await lockUntilCommit(tx, 'quarantinedContent');
  const contents = tx
    .selectFrom('media')
    .select('sha256')
    .where('media_id', '=', mediaId)
    .where('sha256', 'is not', null);
  const rows = await tx
    .updateTable('media')
    .set({ quarantined_by: null })
    .where((eb) => eb.or([eb('media_id', '=', mediaId), eb('sha256', 'in', contents)]))
    .where('quarantined_by', 'is not', null)
    .returning('media_id')
    .execute();
  await recordChanges(tx, rows, false);
}

/** Whether the same content is quarantined already; until the transaction ends that does not change. */
export async function isContentQuarantined(tx: Tx, sha256: string): Promise<boolean> {
  await lockUntilCommit(tx, 'quarantinedContent', 'shared');
  const row = await tx
    .selectFrom('media')
    .select('media_id')
    .where('sha256', '=', sha256)
    .where('quarantined_by', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Protects media from being quarantined, or lifts that; false where there is no such media. */
export async function setProtected(db: Database, mediaId: string, isProtected: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ safe_from_quarantine: isProtected ? 1 : 0 })
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type QuarantineChange = { id: number; mediaId: string; quarantined: boolean };

/** What was quarantined and released after a place in the order of these changes. */
export async function listQuarantineChanges(
  db: Database,
  after: number,
  limit: number,
): Promise<QuarantineChange[]> {
  const rows = await db
    .selectFrom('media_quarantine_changes')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    mediaId: row.media_id,
    quarantined: row.quarantined === 1,
  }));
}

/** Notes that new media are quarantined from the beginning, or how those of a statement changed. */
export async function recordChanges(
  tx: Tx,
  media: readonly { media_id: string }[],
  quarantined: boolean,
): Promise<void> {
  if (media.length === 0) return;
  // Numbers are given before a commit: with one at a time, who has read up to one has read all before it.
  await lockUntilCommit(tx, 'quarantineChanges');
  // An engine takes only so many parameters.
  for (let start = 0; start < media.length; start += 500) {
    const changes = media.slice(start, start + 500).map(({ media_id }) => ({
      media_id,
      quarantined: quarantined ? 1 : 0,
    }));
    await tx.insertInto('media_quarantine_changes').values(changes).execute();
  }
}

function matching(selection: MediaSelection): Condition {
  if ('mediaId' in selection) return (eb) => eb.eb('media_id', '=', selection.mediaId);
  if ('userId' in selection) return (eb) => eb.eb('user_id', '=', selection.userId);
  return (eb) =>
    eb.eb(
      'media_id',
      'in',
      eb
        .selectFrom('room_media')
        .select('room_media.media_id')
        .where('room_media.room_id', '=', selection.roomId)
        .where('room_media.server_name', '=', selection.serverName),
    );
}
