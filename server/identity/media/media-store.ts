/** Metadata of uploads; their content is on the disk. */
import { type Selectable, sql } from 'kysely';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Media = {
  mediaId: string;
  userId: string;
  contentType: string;
  uploadName: string | null;
  /** In bytes. */
  size: number;
  createdTs: number;
  /** In hexadecimal. */
  sha256: string | null;
  lastAccessTs: number | null;
  quarantinedBy: string | null;
  safeFromQuarantine: boolean;
  /** Whether downloading it needs an access token. */
  authenticated: boolean;
};

type NewMedia = Omit<Media, 'lastAccessTs' | 'safeFromQuarantine'>;

/** Adds an upload and updates its user's totals. */
export async function insertMedia(tx: Tx, media: NewMedia): Promise<void> {
  await tx
    .insertInto('media')
    .values({
      media_id: media.mediaId,
      user_id: media.userId,
      content_type: media.contentType,
      upload_name: media.uploadName,
      size: media.size,
      created_ts: media.createdTs,
      sha256: media.sha256,
      quarantined_by: media.quarantinedBy,
      authenticated: media.authenticated ? 1 : 0,
    })
    .execute();
  await tx
    .insertInto('media_totals')
    .values({ user_id: media.userId, media_count: 1, media_length: media.size })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        media_count: sql<number>`media_totals.media_count + 1`,
        media_length: sql<number>`media_totals.media_length + ${media.size}`,
      }),
    )
    .execute();
}

export async function findMedia(db: Database, mediaId: string): Promise<Media | undefined> {
  const row = await db.selectFrom('media').selectAll().where('media_id', '=', mediaId).executeTakeFirst();
  return row && asMedia(row);
}

/** Sets the time of the last download. */
export async function touchMedia(db: Database, mediaId: string, now: number): Promise<void> {
  await db.updateTable('media').set({ last_access_ts: now }).where('media_id', '=', mediaId).execute();
}

/**
 * Returns a page of a user's uploads, oldest first.
 *
 * @param after the last entry of the previous page
 */
export async function listMediaIdsOfUser(
  db: Database,
  userId: string,
  after: Pick<Media, 'mediaId' | 'createdTs'> | undefined,
  limit: number,
): Promise<Pick<Media, 'mediaId' | 'createdTs'>[]> {
  let query = db.selectFrom('media').select(['media_id', 'created_ts']).where('user_id', '=', userId);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple('created_ts', 'media_id'), '>', eb.tuple(after.createdTs, after.mediaId)),
    );
  }
  const rows = await query.orderBy('created_ts').orderBy('media_id').limit(limit).execute();
  return rows.map((row) => ({ mediaId: row.media_id, createdTs: row.created_ts }));
}

type MediaOrder =
  | 'media_id'
  | 'upload_name'
  | 'created_ts'
  | 'last_access_ts'
  | 'media_length'
  | 'media_type'
  | 'quarantined_by'
  | 'safe_from_quarantine';

export type UserMediaQuery = { from: number; limit: number; orderBy: MediaOrder; direction: 'b' | 'f' };

/** Returns a page of a user's uploads. Ties are ordered by media ID. */
export async function listUserMedia(
  db: Database,
  userId: string,
  { from, limit, orderBy, direction }: UserMediaQuery,
): Promise<Media[]> {
  const column = orderBy === 'media_length' ? 'size' : orderBy === 'media_type' ? 'content_type' : orderBy;
  let query = db.selectFrom('media').selectAll().where('user_id', '=', userId);
  if (nullable.has(column)) {
    // Database engines order nulls differently.
    query = query.orderBy(column, (order) =>
      direction === 'b' ? order.desc().nullsLast() : order.asc().nullsFirst(),
    );
  } else {
    query = query.orderBy(column, direction === 'b' ? 'desc' : 'asc');
  }
  if (column !== 'media_id') query = query.orderBy('media_id');
  const rows = await query.limit(limit).offset(from).execute();
  return rows.map(asMedia);
}

const nullable = new Set(['upload_name', 'last_access_ts', 'quarantined_by']);

export async function countUserMedia(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('media_totals')
    .select('media_count')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.media_count ?? 0;
}

export type UnusedMediaQuery = {
  /** Last downloaded before this time, or uploaded before it and never downloaded. */
  before: number;
  /** In bytes. */
  largerThan: number;
  limit: number;
  /** The last entry of the previous page. */
  after?: Pick<Media, 'createdTs' | 'lastAccessTs' | 'mediaId'>;
};

/**
 * Lists media that weren't downloaded since a time: first those never downloaded, then by last access. Leaves out
 * quarantined media, which are evidence, and protected media.
 */
export async function listUnusedMedia(db: Database, query: UnusedMediaQuery): Promise<Media[]> {
  const { before, largerThan, limit, after } = query;
  const select = () =>
    db
      .selectFrom('media')
      .selectAll()
      .where('size', '>', largerThan)
      .where('quarantined_by', 'is', null)
      .where('safe_from_quarantine', '=', 0);
  if (!after || after.lastAccessTs === null) {
    let neverDownloaded = select().where('last_access_ts', 'is', null).where('created_ts', '<', before);
    if (after) {
      neverDownloaded = neverDownloaded.where((eb) =>
        eb(eb.refTuple('created_ts', 'media_id'), '>', eb.tuple(after.createdTs, after.mediaId)),
      );
    }
    const rows = await neverDownloaded.orderBy('created_ts').orderBy('media_id').limit(limit).execute();
    if (rows.length > 0) return rows.map(asMedia);
  }
  let fetched = select().where('last_access_ts', '<', before);
  if (after && after.lastAccessTs !== null) {
    const { lastAccessTs, createdTs, mediaId } = after;
    fetched = fetched.where((eb) =>
      eb(
        eb.refTuple('last_access_ts', 'created_ts', 'media_id'),
        '>',
        eb.tuple(lastAccessTs, createdTs, mediaId),
      ),
    );
  }
  const rows = await fetched
    .orderBy('last_access_ts')
    .orderBy('created_ts')
    .orderBy('media_id')
    .limit(limit)
    .execute();
  return rows.map(asMedia);
}

/**
 * Deletes media and marks their files for deletion.
 *
 * @returns the media IDs that existed, in the given order
 */
export async function deleteMedia(tx: Tx, mediaIds: readonly string[]): Promise<string[]> {
  if (mediaIds.length === 0) return [];
  const rows = await tx
    .deleteFrom('media')
    .where('media_id', 'in', mediaIds)
    .returning(['media_id', 'user_id', 'size'])
    .execute();
  // In a fixed order, which prevents deadlocks.
  for (const userId of [...new Set(rows.map((row) => row.user_id))].sort()) {
    const sizes = rows.filter((row) => row.user_id === userId).map((row) => row.size);
    await tx
      .updateTable('media_totals')
      .set({
        media_count: sql<number>`media_count - ${sizes.length}`,
        media_length: sql<number>`media_length - ${sizes.reduce((sum, size) => sum + size, 0)}`,
      })
      .where('user_id', '=', userId)
      .execute();
  }
  if (rows.length > 0) {
    await tx
      .insertInto('deleted_media')
      .values(rows.map(({ media_id }) => ({ media_id })))
      .execute();
  }
  const deleted = new Set(rows.map((row) => row.media_id));
  return mediaIds.filter((mediaId) => deleted.has(mediaId));
}

/** Lists deleted media whose files may still be on the disk. */
export async function listDeletedMedia(db: Database, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('deleted_media').select('media_id').limit(limit).execute();
  return rows.map((row) => row.media_id);
}

/** Unmarks deleted media whose files are deleted. */
export async function forgetDeletedMedia(db: Database, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return;
  await db.deleteFrom('deleted_media').where('media_id', 'in', mediaIds).execute();
}

const asMedia = (row: Selectable<Schema['media']>): Media => ({
  mediaId: row.media_id,
  userId: row.user_id,
  contentType: row.content_type,
  uploadName: row.upload_name,
  size: row.size,
  createdTs: row.created_ts,
  sha256: row.sha256,
  lastAccessTs: row.last_access_ts,
  quarantinedBy: row.quarantined_by,
  safeFromQuarantine: row.safe_from_quarantine === 1,
  authenticated: row.authenticated === 1,
});
