/** Cache of URL previews. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

type CachedPreview = {
  url: string;
  fetchedTs: number;
  preview: JsonObject;
  /** The image's upload. */
  mediaId: string | undefined;
};

/** Returns the latest preview of a URL that was fetched after a time. */
export async function findPreview(db: Database, url: string, after: number): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom('url_previews')
    .select('preview')
    .where('url', '=', url)
    .where('fetched_ts', '>', after)
    .orderBy('fetched_ts', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && (readJson(row.preview) as JsonObject);
}

export async function insertPreview(
  tx: Tx,
  { url, fetchedTs, preview, mediaId }: CachedPreview,
): Promise<void> {
  await tx
    .insertInto('url_previews')
    .values({ url, fetched_ts: fetchedTs, preview: JSON.stringify(preview), media_id: mediaId ?? null })
    .execute();
}

/** Deletes previews that were fetched before a time. Returns the media IDs of their images. */
export async function deletePreviews(tx: Tx, before: number, limit: number): Promise<string[]> {
  const old = await tx
    .selectFrom('url_previews')
    .select(['id', 'media_id'])
    .where('fetched_ts', '<', before)
    .orderBy('fetched_ts')
    .limit(limit)
    .execute();
  if (old.length === 0) return [];
  const ids = old.map((row) => row.id);
  await tx.deleteFrom('url_previews').where('id', 'in', ids).execute();
  return old.flatMap((row) => row.media_id ?? []);
}
