/** Thumbnails that were made, and those that can't be. */
import type { Database } from '../database/schema.ts';

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

/** Remembers a thumbnail; false where its media was deleted meanwhile. Call it in a transaction. */
export async function saveThumbnail(
  db: Database,
  mediaId: string,
  sizeName: string,
  thumbnail: StoredThumbnail,
): Promise<boolean> {
  const media = await db
    .selectFrom('media')
    .select('media_id')
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  if (!media) return false;
  const values = { content_type: thumbnail?.contentType ?? null, size: thumbnail?.size ?? null };
  await db
    .insertInto('media_thumbnails')
    .values({ media_id: mediaId, size_name: sizeName, ...values })
    .onConflict((conflict) => conflict.columns(['media_id', 'size_name']).doUpdateSet(values))
    .execute();
  return true;
}
