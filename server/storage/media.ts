import type { Database } from './schema.ts';

export type Media = {
  mediaId: string;
  userId: string;
  contentType: string;
  uploadName: string | null;
  /** In bytes. */
  size: number;
  createdTs: number;
};

export async function insertMedia(db: Database, media: Media): Promise<void> {
  await db
    .insertInto('media')
    .values({
      media_id: media.mediaId,
      user_id: media.userId,
      content_type: media.contentType,
      upload_name: media.uploadName,
      size: media.size,
      created_ts: media.createdTs,
    })
    .execute();
}

export async function findMedia(db: Database, mediaId: string): Promise<Media | undefined> {
  const row = await db.selectFrom('media').selectAll().where('media_id', '=', mediaId).executeTakeFirst();
  return (
    row && {
      mediaId: row.media_id,
      userId: row.user_id,
      contentType: row.content_type,
      uploadName: row.upload_name,
      size: row.size,
      createdTs: row.created_ts,
    }
  );
}
