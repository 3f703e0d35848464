import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** Null if the media can't have thumbnails. `size` is in bytes. */
type StoredThumbnail = { contentType: string; size: number } | null;

/** Returns undefined if the thumbnail wasn't requested yet. */
export async function findThumbnail(
  db: Database,
  mediaId: string,
  sizeName: string,
): Promise<StoredThumbnail | undefined> {
  const row = await db
    .selectFrom('media_thumbnails')
    .select(['content_type', 'size'])
    .where('media_id', '=', mediaId)
    .where('size_name', '=', sizeName)
    .executeTakeFirst();
  if (!row) return undefined;
  return row.content_type === null || row.size === null
    ? null
    : { contentType: row.content_type, size: row.size };
}

/** Returns false if the media was deleted in the meantime. */
export async function saveThumbnails(
  tx: Tx,
  mediaId: string,
  thumbnails: readonly { name: string; thumbnail: StoredThumbnail }[],
): Promise<boolean> {
  // Locks the row, so that the media isn't deleted before the commit.
  const { numUpdatedRows } = await tx
    .updateTable('media')
    .set(({ ref }) => ({ media_id: ref('media_id') }))
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .insertInto('media_thumbnails')
    .values(
      thumbnails.map(({ name, thumbnail }) => ({
        media_id: mediaId,
        size_name: name,
        content_type: thumbnail?.contentType ?? null,
        size: thumbnail?.size ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['media_id', 'size_name']).doUpdateSet(({ ref }) => ({
        content_type: ref('excluded.content_type'),
        size: ref('excluded.size'),
      })),
    )
    .execute();
  return true;
}
