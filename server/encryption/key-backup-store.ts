/** Backups of keys, and the keys in them. */
import type { JsonObject } from '../../shared/api/common.ts';
import { readJson } from '../../shared/read-json.ts';
import { mapInTurns } from '../core/event-loop-turns.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

export type Backup = {
  version: number;
  algorithm: string;
  authData: JsonObject;
  etag: number;
  count: number;
  /** One that was deleted is kept by its number alone. */
  deleted: boolean;
};

export type BackupName = { userId: string; version: number };
export type SessionName = { roomId: string; sessionId: string };
/** One session, or all of a room, or all. */
export type Selection = Partial<SessionName>;

export type StoredKey = SessionName & {
  firstMessageIndex: number;
  forwardedCount: number;
  isVerified: boolean;
  sessionData: JsonObject;
};

/** The version that is in use, the newest one. */
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

/** Begins a version with a number that none had; the user has to be locked. */
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

/** Deletes a version with its keys. */
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

/** Says that the keys have changed, and how many more there are. */
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

/** How many keys are read at once. */
const rowsAtOnce = 100;

/**
 * The keys of a backup in the order of rooms and sessions, a page at a time: there may be more of them than there is
 * memory.
 */
export async function* listKeys(
  db: Database,
  { userId, version }: BackupName,
  { roomId, sessionId }: Selection,
): AsyncGenerator<StoredKey[]> {
  let wanted = db
    .selectFrom('key_backup_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .orderBy('room_id')
    .orderBy('session_id')
    .limit(rowsAtOnce);
  if (roomId !== undefined) wanted = wanted.where('room_id', '=', roomId);
  if (sessionId !== undefined) wanted = wanted.where('session_id', '=', sessionId);
  let last: StoredKey | undefined;
  for (;;) {
    const behind = last;
    const next = behind
      ? wanted.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('room_id', 'session_id'), '>', tuple(behind.roomId, behind.sessionId)),
        )
      : wanted;
    const rows = await next.execute();
    const keys = await mapInTurns(rows, asStoredKey);
    yield keys;
    if (rows.length < rowsAtOnce) return;
    last = keys.at(-1);
  }
}

type KeyRow = {
  room_id: string;
  session_id: string;
  first_message_index: number;
  forwarded_count: number;
  is_verified: number;
  session_data: string;
};

const asStoredKey = (row: KeyRow): StoredKey => ({
  roomId: row.room_id,
  sessionId: row.session_id,
  firstMessageIndex: row.first_message_index,
  forwardedCount: row.forwarded_count,
  isVerified: row.is_verified === 1,
  sessionData: readJson(row.session_data),
});

/** Those of a room's keys that have one of these names. */
export async function findKeys(
  db: Database,
  { userId, version }: BackupName,
  roomId: string,
  sessionIds: readonly string[],
): Promise<Map<string, Omit<StoredKey, 'sessionData'>>> {
  const rows = await db
    .selectFrom('key_backup_sessions')
    .select(['session_id', 'first_message_index', 'forwarded_count', 'is_verified'])
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .where('room_id', '=', roomId)
    .where('session_id', 'in', sessionIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.session_id,
      {
        roomId,
        sessionId: row.session_id,
        firstMessageIndex: row.first_message_index,
        forwardedCount: row.forwarded_count,
        isVerified: row.is_verified === 1,
      },
    ]),
  );
}

/** Keeps keys, in place of those of the same sessions. */
export async function setKeys(
  tx: Tx,
  { userId, version }: BackupName,
  keys: readonly StoredKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .insertInto('key_backup_sessions')
    .values(
      keys.map((key) => ({
        user_id: userId,
        version,
        room_id: key.roomId,
        session_id: key.sessionId,
        first_message_index: key.firstMessageIndex,
        forwarded_count: key.forwardedCount,
        is_verified: Number(key.isVerified),
        session_data: JSON.stringify(key.sessionData),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'version', 'room_id', 'session_id']).doUpdateSet((eb) => ({
        first_message_index: eb.ref('excluded.first_message_index'),
        forwarded_count: eb.ref('excluded.forwarded_count'),
        is_verified: eb.ref('excluded.is_verified'),
        session_data: eb.ref('excluded.session_data'),
      })),
    )
    .execute();
}

/** @returns how many there were */
export async function deleteKeys(
  tx: Tx,
  { userId, version }: BackupName,
  { roomId, sessionId }: Selection,
): Promise<number> {
  let query = tx
    .deleteFrom('key_backup_sessions')
    .where('user_id', '=', userId)
    .where('version', '=', version);
  if (roomId !== undefined) query = query.where('room_id', '=', roomId);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

/** Forgets every version of a user's backup with its keys. */
export async function deleteBackups(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('key_backups').where('user_id', '=', userId).execute();
}
