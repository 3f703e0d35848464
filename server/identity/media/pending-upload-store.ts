import type { Database } from '../../platform/database/schema.ts';

type PendingMedia = { mediaId: string; userId: string; createdTs: number; expiresTs: number };

export async function insertPendingMedia(db: Database, media: PendingMedia): Promise<void> {
  await db
    .insertInto('pending_media')
    .values({
      media_id: media.mediaId,
      user_id: media.userId,
      created_ts: media.createdTs,
      expires_ts: media.expiresTs,
    })
    .execute();
}

/** Returns a media ID without an upload, even if it has expired. */
export async function findPendingMedia(db: Database, mediaId: string): Promise<PendingMedia | undefined> {
  const row = await db
    .selectFrom('pending_media')
    .selectAll()
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return (
    row && {
      mediaId: row.media_id,
      userId: row.user_id,
      createdTs: row.created_ts,
      expiresTs: row.expires_ts,
    }
  );
}

/** Returns when a user's pending media IDs expire, in ascending order. */
export async function listPendingExpiries(db: Database, userId: string, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('pending_media')
    .select('expires_ts')
    .where('user_id', '=', userId)
    .where('expires_ts', '>', now)
    .orderBy('expires_ts')
    .execute();
  return rows.map((row) => row.expires_ts);
}

/** Returns false if the media ID isn't pending. */
export async function deletePendingMedia(db: Database, mediaId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pending_media')
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredPendingMedia(db: Database, now: number): Promise<void> {
  await db.deleteFrom('pending_media').where('expires_ts', '<=', now).execute();
}
