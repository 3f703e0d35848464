/** Thumbnails that were made, and those that can't be. */
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** The picture, or null where none can be made. `size` is in bytes. */
export type StoredThumbnail = { contentType: string; size: number } | null;

/** What became of a thumbnail; undefined where it was not asked for yet. */
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

/** Remembers what became of thumbnails; false where their media was deleted meanwhile. */
export async function saveThumbnails(
  tx: Tx,
  mediaId: string,
  thumbnails: readonly { name: string; thumbnail: StoredThumbnail }[],
): Promise<boolean> {
  // An update that changes nothing keeps others from deleting it until they are saved.
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
