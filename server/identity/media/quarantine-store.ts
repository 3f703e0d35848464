/** Quarantined and protected media, and the stream of quarantine changes. */
import { lockUntilCommit } from '../../platform/cluster/lock-until-commit.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/**
 * Quarantines these media and up to `limit` with the same content, except protected ones.
 *
 * @returns the number of media that weren't quarantined before; less than the limit if there are no more
 */
export async function quarantineBatch(
  tx: Tx,
  mediaIds: readonly string[],
  quarantinedBy: string,
  limit: number,
): Promise<number> {
  await lockUntilCommit(tx, 'quarantinedContent');
  const named = await tx
    .selectFrom('media')
    .select(['media_id', 'sha256', 'quarantined_by'])
    .where('media_id', 'in', mediaIds)
    .where('safe_from_quarantine', '=', 0)
    .execute();
  const hashes = named.flatMap(({ sha256 }) => sha256 ?? []);
  const copies =
    hashes.length === 0
      ? []
      : await tx
          .selectFrom('media')
          .select(['media_id', 'quarantined_by'])
          .where('sha256', 'in', hashes)
          .where('quarantined_by', 'is', null)
          .where('safe_from_quarantine', '=', 0)
          .limit(limit)
          .execute();
  const media = [...named, ...copies].filter(({ quarantined_by: by }) => by === null);
  return setQuarantinedBy(tx, new Set(media.map((row) => row.media_id)), quarantinedBy);
}

/** Removes media from quarantine, with up to `limit` that have the same content. Returns their number. */
export async function releaseBatch(tx: Tx, mediaId: string, limit: number): Promise<number> {
  await lockUntilCommit(tx, 'quarantinedContent');
  const named = await tx
    .selectFrom('media')
    .select(['media_id', 'sha256', 'quarantined_by'])
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  if (!named) return 0;
  const copies =
    named.sha256 === null
      ? []
      : await tx
          .selectFrom('media')
          .select(['media_id', 'quarantined_by'])
          .where('sha256', '=', named.sha256)
          .where('quarantined_by', 'is not', null)
          .limit(limit)
          .execute();
  const media = [named, ...copies].filter(({ quarantined_by: by }) => by !== null);
  return setQuarantinedBy(tx, new Set(media.map((row) => row.media_id)), null);
}

async function setQuarantinedBy(
  tx: Tx,
  mediaIds: ReadonlySet<string>,
  quarantinedBy: string | null,
): Promise<number> {
  if (mediaIds.size === 0) return 0;
  const rows = await tx
    .updateTable('media')
    .set({ quarantined_by: quarantinedBy })
    .where('media_id', 'in', [...mediaIds])
    .returning('media_id')
    .execute();
  await recordChanges(tx, rows, quarantinedBy !== null);
  return rows.length;
}

/** Returns whether the content is quarantined, which can't change before the transaction ends. */
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

/** Sets whether media are protected from quarantine. Returns false if they don't exist. */
export async function setProtected(db: Database, mediaId: string, isProtected: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ safe_from_quarantine: isProtected ? 1 : 0 })
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type QuarantineChange = { id: number; mediaId: string; quarantined: boolean };

/** @param after an ID of the stream of changes */
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

export async function recordChanges(
  tx: Tx,
  media: readonly { media_id: string }[],
  quarantined: boolean,
): Promise<void> {
  if (media.length === 0) return;
  // IDs are assigned before the commit: without the lock, a reader could skip one that is committed later.
  await lockUntilCommit(tx, 'quarantineChanges');
  const changes = media.map(({ media_id }) => ({ media_id, quarantined: quarantined ? 1 : 0 }));
  await tx.insertInto('media_quarantine_changes').values(changes).execute();
}
