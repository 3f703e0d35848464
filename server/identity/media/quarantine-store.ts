/** Media that are kept away from users, and those that can't be. */
import { lockUntilCommit } from '../../platform/cluster/lock-until-commit.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/**
 * Quarantines these media and so many of those that have the same content, except what is protected and what is
 * quarantined already.
 *
 * @returns how many were quarantined; fewer than the limit where there are no more
 */
export async function quarantineSome(
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
  const contents = named.flatMap(({ sha256 }) => sha256 ?? []);
  const alike =
    contents.length === 0
      ? []
      : await tx
          .selectFrom('media')
          .select(['media_id', 'quarantined_by'])
          .where('sha256', 'in', contents)
          .where('quarantined_by', 'is', null)
          .where('safe_from_quarantine', '=', 0)
          .limit(limit)
          .execute();
  const found = [...named, ...alike].filter(({ quarantined_by: by }) => by === null);
  return setQuarantinedBy(tx, new Set(found.map((row) => row.media_id)), quarantinedBy);
}

/** Gives so many media of the content of one back to users, and how many; fewer where there are no more. */
export async function releaseSome(tx: Tx, mediaId: string, limit: number): Promise<number> {
  await lockUntilCommit(tx, 'quarantinedContent');
  const named = await tx
    .selectFrom('media')
    .select(['media_id', 'sha256', 'quarantined_by'])
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  if (!named) return 0;
  const alike =
    named.sha256 === null
      ? []
      : await tx
          .selectFrom('media')
          .select(['media_id', 'quarantined_by'])
          .where('sha256', '=', named.sha256)
          .where('quarantined_by', 'is not', null)
          .limit(limit)
          .execute();
  const found = [named, ...alike].filter(({ quarantined_by: by }) => by !== null);
  return setQuarantinedBy(tx, new Set(found.map((row) => row.media_id)), null);
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
  const changes = media.map(({ media_id }) => ({ media_id, quarantined: quarantined ? 1 : 0 }));
  await tx.insertInto('media_quarantine_changes').values(changes).execute();
}
