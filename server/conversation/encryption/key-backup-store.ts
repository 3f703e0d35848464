/** Key backup versions. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Backup = {
  version: number;
  algorithm: string;
  authData: JsonObject;
  etag: number;
  count: number;
  /** Deleted versions keep their number. */
  deleted: boolean;
};

export type BackupName = { userId: string; version: number };
/** Returns the newest version, which is the current one. */
export async function findLatestBackup(db: Database, userId: string): Promise<Backup | undefined> {
  const row = await backups(db, userId)
    .where('deleted', '=', 0)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && asBackup(row);
}

export async function findBackup(db: Database, { userId, version }: BackupName): Promise<Backup | undefined> {
  const row = await backups(db, userId).where('version', '=', version).executeTakeFirst();
  return row && asBackup(row);
}

const backups = (db: Database, userId: string) =>
  db.selectFrom('key_backups').selectAll().where('user_id', '=', userId);

type BackupRow = {
  version: number;
  algorithm: string;
  auth_data: string;
  etag: number;
  key_count: number;
  deleted: number;
};

const asBackup = (row: BackupRow): Backup => ({
  version: row.version,
  algorithm: row.algorithm,
  authData: readJson(row.auth_data),
  etag: row.etag,
  count: row.key_count,
  deleted: row.deleted === 1,
});

/** Inserts a version with a new number. The user must be locked. */
export async function insertBackup(
  tx: Tx,
  userId: string,
  { algorithm, authData }: Pick<Backup, 'algorithm' | 'authData'>,
): Promise<number> {
  const last = await backups(tx, userId).orderBy('version', 'desc').limit(1).executeTakeFirst();
  const version = (last?.version ?? 0) + 1;
  await tx
    .insertInto('key_backups')
    .values({ user_id: userId, version, algorithm, auth_data: JSON.stringify(authData) })
    .execute();
  return version;
}

export async function setAuthData(
  tx: Tx,
  { userId, version }: BackupName,
  authData: JsonObject,
): Promise<void> {
  await tx
    .updateTable('key_backups')
    .set({ auth_data: JSON.stringify(authData) })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute();
}

export async function emptyBackup(tx: Tx, { userId, version }: BackupName): Promise<void> {
  await tx
    .updateTable('key_backups')
    .set({ deleted: 1, auth_data: '{}', key_count: 0 })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute();
  await tx
    .deleteFrom('key_backup_sessions')
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute();
}

/** Updates the etag and count of a version. */
export async function noteKeysChanged(
  tx: Tx,
  { userId, version }: BackupName,
  more: number,
): Promise<Pick<Backup, 'etag' | 'count'>> {
  const row = await tx
    .updateTable('key_backups')
    .set((eb) => ({ etag: eb('etag', '+', 1), key_count: eb('key_count', '+', more) }))
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .returning(['etag', 'key_count'])
    .executeTakeFirstOrThrow();
  return { etag: row.etag, count: row.key_count };
}

/** Deletes all of a user's versions and keys. */
export async function deleteBackups(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('key_backups').where('user_id', '=', userId).execute();
}
